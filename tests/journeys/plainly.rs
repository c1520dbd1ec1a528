//! `--plain`: the conversation line by line, the gate as a question.

use std::collections::VecDeque;
use std::time::Duration;

use insta::assert_snapshot;
use keytide::app::event::Fact;
use keytide::gate::Gate;
use keytide::gate::arming::Pauses;
use keytide::print::plain::{Lines, converse};
use tokio::time::{Instant, sleep_until};

use super::script::{Script, ask, say, tools};
use super::world::{Staged, app};

/// Lines that are typed at their time; `None` is the end of input.
struct Typed {
    start: Instant,
    lines: VecDeque<(u64, Option<&'static str>)>,
}

impl Lines for Typed {
    async fn next_line(&mut self) -> Option<String> {
        match self.lines.front() {
            Some((at, _)) => {
                sleep_until(self.start + Duration::from_millis(*at)).await;
                let line = self.lines.pop_front().and_then(|(_, line)| line);
                line.map(str::to_owned)
            }
            None => std::future::pending().await,
        }
    }
}

/// Plays a conversation: what is typed when. Returns the exit code, the page, and what was asked.
async fn play(script: Script, typed: &[(u64, Option<&'static str>)]) -> (u8, String, Vec<String>) {
    let mut app = app(Gate::interactive(Pauses::default()));
    let mut world = Staged::new(script, 80, 24);
    world.after(
        0,
        Fact::ToolsListed {
            server: "s".into(),
            tools: tools(),
            problems: Vec::new(),
        },
    );
    let mut lines = Typed {
        start: Instant::now(),
        lines: typed.iter().copied().collect(),
    };
    let mut out = Vec::new();
    let code = converse(&mut app, &mut world, &mut lines, &mut out).await;
    let page = String::from_utf8(out).expect("it is text");
    (code.expect("it can be written"), page, world.asked)
}

fn one_call() -> Script {
    Script::default()
        .then(ask(
            "I ask.",
            &[("toolu_1", "s__echo", r#"{"text":"Do\u200bver"}"#)],
        ))
        .then(say("At **06:12**."))
        .result("toolu_1", 400, "06:12")
}

#[tokio::test(start_paused = true)]
async fn a_conversation_is_lines_and_the_word_run_runs_the_call() {
    let typed = [
        (100, Some("When?")),
        (2_000, Some("yes")),
        (3_000, Some("run")),
        (6_000, Some("/quit")),
    ];
    let (code, page, asked) = play(one_call(), &typed).await;
    assert_eq!(code, 0);
    assert_eq!(asked, ["send 1", "call toolu_1", "send 2", "quit 0"]);
    assert_snapshot!("plain_conversation", page);
}

#[tokio::test(start_paused = true)]
async fn a_line_typed_before_the_question_could_be_read_never_decides() {
    // The question comes at 400 ms; one line before it, one at the same time, one right after.
    let typed = [
        (100, Some("When?")),
        (390, Some("run")),
        (410, Some("run")),
        (700, Some("run")),
        (2_000, None),
    ];
    let (code, page, asked) = play(one_call(), &typed).await;
    assert_eq!(code, 0);
    assert!(
        asked.iter().all(|word| !word.starts_with("call")),
        "{asked:?}"
    );
    assert_eq!(page.matches("too soon").count(), 2, "{page}");
}

#[tokio::test(start_paused = true)]
async fn deny_with_a_reason_view_and_stop_are_the_other_words() {
    let typed = [
        (100, Some("When?")),
        (2_000, Some("view")),
        (4_000, Some("deny use the table")),
        (8_000, None),
    ];
    let (_, page, asked) = play(one_call(), &typed).await;
    assert_eq!(asked[..2], ["send 1", "send 2"]);
    assert_eq!(page.matches("The model wants to call").count(), 2, "{page}");
    assert!(page.contains("denied: use the table"), "{page}");

    let typed = [(100, Some("When?")), (2_000, Some("stop")), (8_000, None)];
    let (_, page, asked) = play(one_call(), &typed).await;
    assert_eq!(asked, ["send 1", "quit 0"]);
    assert!(page.contains("Stopped."), "{page}");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_input_denies_all_that_waits_and_ends_with_0() {
    let (code, page, asked) = play(one_call(), &[(100, Some("When?")), (2_000, None)]).await;
    assert_eq!((code, asked), (0, vec!["send 1".into(), "quit 0".into()]));
    assert!(page.contains("denied"), "{page}");
}

#[tokio::test(start_paused = true)]
async fn invisible_characters_of_a_call_are_shown() {
    let (_, page, _) = play(one_call(), &[(100, Some("When?")), (2_000, None)]).await;
    assert!(!page.contains('\u{200b}'), "{page}");
    assert!(page.contains("200b") || page.contains("200B"), "{page}");
}
