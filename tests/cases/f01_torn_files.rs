//! F01: a write that was cut short costs at most the record that was being written.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::http::text_of;
use crate::support::reply::{Reply, Step, end, ms, say, start, stop, text_delta, tool};
use crate::support::run::{Output, Stage};

/// A stage with one finished conversation of two turns on it, and the file of that conversation.
fn with_conversation() -> (Stage, PathBuf) {
    let stage = Stage::new([say("first answer"), say("second answer")]);
    for arguments in [
        &["-p", "first question"][..],
        &["-c", "-p", "second question"],
    ] {
        let output = stage.run(arguments, "");
        assert_eq!(output.code, Some(0), "{output:?}");
    }
    let file = stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    (stage, file)
}

/// Goes on with the newest conversation; returns what was printed and what the model was told.
fn go_on(stage: &Stage) -> (Output, Vec<String>) {
    let before = stage.api.requests().len();
    let output = stage.run(&["-c", "-p", "go on"], "");
    assert_eq!(
        output.code,
        Some(0),
        "{output:?}\n{:?}",
        stage.api.refusals()
    );
    assert_eq!(stage.api.refusals(), Vec::<String>::new());
    let requests = stage.api.requests();
    let request = requests.get(before).expect("something was asked");
    let told = request
        .messages()
        .iter()
        .map(|message| text_of(&message["content"]))
        .collect();
    (output, told)
}

/// Every line of the file is a record, or stood there before the program went on.
fn appended_on_new_lines(file: &PathBuf, before: &[u8]) {
    let bytes = fs::read(file).expect("the transcript is there");
    let text = String::from_utf8_lossy(&bytes);
    let fresh = text.lines().filter(|line| line.contains("go on"));
    let fresh: Vec<_> = fresh
        .map(serde_json::from_str::<serde_json::Value>)
        .collect();
    assert!(
        !fresh.is_empty() && fresh.iter().all(Result::is_ok),
        "glued to a torn line:\n{text}"
    );
    assert!(bytes.len() > before.len());
}

#[test]
fn a_last_line_cut_at_each_of_its_last_forty_bytes_opens_and_goes_on() {
    let (stage, file) = with_conversation();
    let whole = fs::read(&file).expect("the transcript is there");
    for cut in 1..=40 {
        let torn = &whole[..whole.len() - cut];
        fs::write(&file, torn).expect("the transcript can be written");
        let (_, told) = go_on(&stage);
        assert_eq!(
            told[..2],
            ["first question", "first answer"],
            "cut at {cut}"
        );
        assert_eq!(told.last().map(String::as_str), Some("go on"));
        appended_on_new_lines(&file, torn);
    }
}

/// Damages the file; it is listed, opens, and goes on with what is whole.
fn survives(damage: impl FnOnce(&[u8]) -> Vec<u8>, told_first: &[&str]) {
    let (stage, file) = with_conversation();
    let whole = fs::read(&file).expect("the transcript is there");
    let damaged = damage(&whole);
    fs::write(&file, &damaged).expect("the transcript can be written");
    let listed = stage.run(&["transcripts", "list"], "");
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let (_, told) = go_on(&stage);
    assert_eq!(told[..told_first.len()], *told_first, "{told:?}");
    appended_on_new_lines(&file, &damaged);
}

fn last_line(whole: &[u8]) -> Vec<u8> {
    let body = whole.strip_suffix(b"\n").unwrap_or(whole);
    let at = body
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    body[at..].to_vec()
}

#[test]
fn half_a_record_and_then_the_whole_record_again() {
    survives(
        |whole| {
            let last = last_line(whole);
            let kept = &whole[..whole.len() - last.len() - 1];
            [kept, &last[..last.len() / 2], b"\n", &last, b"\n"].concat()
        },
        &[
            "first question",
            "first answer",
            "second question",
            "second answer",
        ],
    );
}

#[test]
fn nul_bytes_before_the_last_record() {
    survives(
        |whole| {
            let last = last_line(whole);
            let kept = &whole[..whole.len() - last.len() - 1];
            [kept, &[0; 4096], &last, b"\n"].concat()
        },
        &["first question", "first answer"],
    );
}

#[test]
fn a_byte_that_is_not_utf_8() {
    survives(
        |whole| {
            let text = String::from_utf8_lossy(whole).into_owned();
            let at = text.find("second question").expect("it is in the file");
            let mut bytes = whole.to_vec();
            bytes[at + 3] = 0xff;
            bytes
        },
        &["first question", "first answer"],
    );
}

/// A file that holds nothing at all: listing works, and another conversation can begin.
fn an_empty_one(content: &[u8]) {
    let (stage, file) = with_conversation();
    fs::write(&file, content).expect("the transcript can be written");
    let mut run = stage.start(&["-c"]);
    run.ready();
    run.say("go on");
    run.pty.wait_for_line("done");
    run.end_by_quitting();
    let listed = run.stage.run(&["transcripts", "list"], "");
    assert_eq!(listed.code, Some(0), "{listed:?}");
    run.judge();
}

#[test]
fn a_file_of_no_bytes() {
    an_empty_one(b"");
}

#[test]
fn a_file_of_line_feeds() {
    an_empty_one(b"\n\n\n");
}

/// Kills the program at a time; the question and all finished turns are there afterwards.
fn killed_after(time: Duration, with_tool: bool) {
    let head = ms() + &start(0, &json!({"type": "text", "text": ""}));
    let words: Vec<String> = (0..200)
        .map(|i| text_delta(0, &format!("word{i} ")))
        .collect();
    let tail = stop(0) + &end("end_turn");
    let events = head.clone() + &words.concat() + &tail;
    let mut steps = vec![Step::Bytes(head.into_bytes())];
    for word in words {
        steps.push(Step::Bytes(word.into_bytes()));
        steps.push(Step::Pause(Duration::from_millis(4)));
    }
    steps.push(Step::Bytes(tail.into_bytes()));
    let long = Reply::cut(&events, steps);
    let mut script = vec![say("finished turn")];
    if with_tool {
        script.push(tool("s__echo", "{\"text\":\"a\"}"));
    }
    script.push(long);
    let mut run = Stage::new(script).with_echo().start(&[]);
    run.ready();
    run.say("my first");
    run.pty.wait_for("finished turn");
    run.pty.settle();
    run.say("my second");
    if with_tool {
        run.approve();
    } else {
        run.stage.api.wait_for(2);
    }
    run.pause(time);
    run.pty.signal(Signal::KILL);
    run.pty.wait_end(Duration::from_secs(5));
    let done = run.stage.api.requests().len();
    let mut run = run.again(&["-c"]);
    run.ready();
    run.pty.wait_for("my second");
    run.say("and now");
    let requests = run.stage.api.wait_for(done + 1);
    let told: Vec<String> = requests[done]
        .messages()
        .iter()
        .map(|message| text_of(&message["content"]))
        .collect();
    assert_eq!(told[..2], ["my first", "finished turn"], "{told:?}");
    assert!(
        told.iter().any(|text| text.contains("my second")),
        "{told:?}"
    );
    run.pty.settle();
    run.pty.send("\x1b");
    run.finish();
}

#[test]
fn killed_while_an_answer_streams_the_question_and_the_finished_turns_are_there() {
    for time in [0, 30, 110, 350] {
        killed_after(Duration::from_millis(time), false);
    }
}

#[test]
fn killed_between_a_result_and_the_next_request_the_history_can_go_on() {
    for time in [0, 5, 20, 60] {
        killed_after(Duration::from_millis(time), true);
    }
}
