//! F02: two programs never write into one conversation, and mixed records are read as far as they go.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::reply::{say, tools};
use crate::support::run::{Run, Stage};

fn with_conversation() -> Run {
    let mut run = Stage::new([say("first answer")]).start(&[]);
    run.ready();
    run.say("first question");
    run.pty.wait_for("first answer");
    run.pty.settle();
    run
}

fn every_line_is_a_record(run: &Run) {
    for file in run.stage.home.transcripts() {
        let text = fs::read_to_string(&file).expect("a transcript is UTF-8");
        for (i, line) in text.lines().enumerate() {
            let record: Result<Value, _> = serde_json::from_str(line);
            assert!(record.is_ok(), "{}:{}: {line}", file.display(), i + 1);
        }
        assert!(text.ends_with('\n'));
    }
}

#[test]
fn a_conversation_that_is_open_elsewhere_is_said_to_be_and_goes_on_in_a_fork() {
    let mut run = with_conversation();
    run.stage.api.always(say(&"long ".repeat(40_000)));
    let mut second = run.beside(&["-c"]);
    second.pty.wait_until("a word about the other", |screen| {
        ["elsewhere", "fork", "in use", "already open"]
            .iter()
            .any(|word| screen.contains(word))
    });
    second.pty.settle();
    for round in 0..5 {
        run.say(&format!("mine{round}"));
        second.say(&format!("theirs{round}"));
        run.stage.api.wait_for(3 + 2 * round);
        run.pty.settle();
        second.pty.settle();
    }
    second.end_by_quitting();
    every_line_is_a_record(&run);
    assert_eq!(run.stage.home.transcripts().len(), 2);
    let texts: Vec<String> = run
        .stage
        .home
        .transcripts()
        .iter()
        .map(|file| fs::read_to_string(file).expect("a transcript is UTF-8"))
        .collect();
    assert!(
        !texts
            .iter()
            .any(|text| text.contains("mine0") && text.contains("theirs0"))
    );
    run.finish();
}

#[test]
fn a_lock_that_a_killed_program_left_does_not_block() {
    let mut run = with_conversation();
    run.pty.signal(Signal::KILL);
    run.pty.wait_end(Duration::from_secs(5));
    let mut run = run.again(&["-c"]);
    run.ready();
    run.pty.wait_for("first answer");
    run.say("second question");
    run.pty.wait_for_line("done");
    assert!(
        run.transcript().contains("second question"),
        "it went on in another file"
    );
    run.finish();
}

#[test]
fn two_records_on_one_line_are_read_and_the_conversation_goes_on() {
    let mut run = with_conversation();
    run.end_by_quitting();
    let file = run
        .stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    let text = fs::read_to_string(&file).expect("it is UTF-8");
    let (kept, last) = text
        .trim_end()
        .rsplit_once('\n')
        .expect("there are several records");
    fs::write(&file, format!("{kept}{last}\n")).expect("it can be written");
    let mut run = run.again(&["-c"]);
    run.ready();
    run.say("second question");
    run.pty.wait_for_line("done");
    run.finish();
}

#[test]
fn a_record_cut_in_a_string_with_the_next_one_glued_on_costs_at_most_itself() {
    let mut run = with_conversation();
    run.say("second question");
    run.pty.wait_for_line("done");
    run.end_by_quitting();
    let file = run
        .stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    let text = fs::read_to_string(&file).expect("it is UTF-8");
    let (kept, last) = text
        .trim_end()
        .rsplit_once('\n')
        .expect("there are several records");
    let kept = kept.get(..kept.len() - 20).expect("a record ends in ASCII");
    fs::write(&file, format!("{kept}{last}\n")).expect("it can be written");
    let mut run = run.again(&["-c"]);
    run.ready();
    run.pty.wait_for("first answer");
    run.say("third question");
    run.stage.api.wait_for(3);
    run.pty.settle();
    run.finish();
}

#[test]
fn a_result_that_is_missing_is_made_up_for() {
    let three = tools(&[
        ("toolu_1", "s__echo", "{\"text\":\"a\"}"),
        ("toolu_2", "s__echo", "{\"text\":\"b\"}"),
        ("toolu_3", "s__echo", "{\"text\":\"c\"}"),
    ]);
    let mut run = Stage::new([three, say("finished")]).with_echo().start(&[]);
    run.ready();
    run.say("go");
    for _ in 0..3 {
        run.approve();
    }
    run.pty.wait_for("finished");
    run.end_by_quitting();
    let file = run
        .stage
        .home
        .transcripts()
        .pop()
        .expect("a transcript is there");
    let text = fs::read_to_string(&file).expect("it is UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let last_of_three = lines.iter().rposition(|line| line.contains("toolu_3"));
    let last_of_three = last_of_three.expect("the result has a record");
    let kept = &lines[..last_of_three];
    fs::write(&file, kept.join("\n") + "\n").expect("it can be written");
    let mut run = run.again(&["-c"]);
    run.ready();
    run.say("again");
    run.stage.api.wait_for(3);
    run.pty.wait_for_line("done");
    run.finish();
}
