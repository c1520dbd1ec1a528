//! What the main views look like.

use crate::app::notice::Level;
use crate::app::overlay::{Browser, Overlay};
use crate::app::scene::{Busy, Doing, Readiness};
use crate::app::servers::{ServerFailure, ServerStatus};
use crate::app::timeline::CallState;
use crate::chat::conversation::Conversation;
use crate::chat::entry::Entry;
use crate::chat::listing::Progress;
use crate::chat::message::ContentBlock;
use crate::chat::moment::{Millis, Timestamp};
use crate::transcript::replay::Replay;
use crate::transcript::summary::Summary;
use crate::ui::tests::stage::{Stage, card, done, waiting};

fn conversation() -> Stage {
    let mut stage = Stage::default();
    stage
        .person("When is high water at Dover tomorrow?")
        .thinking("**Looking up the tide table**\n\nThe user asks about the tides.", true)
        .reply("I'll look into the tide table.", true)
        .call(done("toolu_1", "time,height\n04:12,6.1\n10:40,1.0\n16:38,6.3\n22:59,0.8\na\nb\nc\nd"))
        .reply(
            "## Dover, tomorrow\n\nHigh water comes **twice**, see [the table](https://tides.test/dover):\n\n\
             | time | height |\n|---|---:|\n| 04:12 | 6.1 m |\n| 16:38 | 6.3 m |\n\n\
             - the *second* is higher\n  - by 20 cm\n- `UTC`, not local time\n\n\
             > Ask the harbour master before you sail.\n\n\
             ```python\nprint(\"high water\")\n```\n",
            true,
        );
    stage
}

fn check(name: &str, stage: &mut Stage) {
    for (width, height) in [(80, 24), (40, 12), (20, 6)] {
        let picture = stage.draw(width, height);
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), picture.with_styles());
    }
}

#[test]
fn a_conversation() {
    check("conversation", &mut conversation());
}

#[test]
fn an_empty_start() {
    let mut stage = Stage {
        title: String::new(),
        ..Stage::default()
    };
    check("empty", &mut stage);
}

#[test]
fn a_call_waits() {
    let mut stage = conversation();
    stage.call(waiting("toolu_2"));
    stage.gate = Some((0, Readiness::Armed, 0));
    check("gate_armed", &mut stage);
}

#[test]
fn two_calls_wait_while_somebody_types() {
    let mut stage = conversation();
    let mut first = waiting("toolu_2");
    first.place = (1, 2);
    let mut second = waiting("toolu_3");
    second.place = (2, 2);
    stage.call(first).call(second);
    stage.composer.insert("and at Cal");
    stage.gate = Some((0, Readiness::StopTyping, 0));
    check("gate_stop_typing", &mut stage);
}

#[test]
fn a_long_call_must_be_seen_to_its_end() {
    let mut stage = conversation();
    let mut call = waiting("toolu_2");
    let rows: Vec<String> = (0..40).map(|row| format!("    \"row {row}\"")).collect();
    call.arguments =
        super::stage::redacted(&format!("{{\n  \"rows\": [\n{}\n  ]\n}}", rows.join(",\n")));
    stage.raised = vec!["This is the first call of this tool.".into()];
    stage.call(call);
    stage.gate = Some((0, Readiness::NeedsEnd, 0));
    check("gate_needs_end", &mut stage);
}

#[test]
fn a_denial_gets_its_reason() {
    let mut stage = conversation();
    stage.call(waiting("toolu_2"));
    stage.gate = Some((0, Readiness::Armed, 0));
    stage.reason = Some(("use the 港 file".into(), 9));
    check("gate_reason", &mut stage);
}

#[test]
fn calls_in_every_state() {
    let mut stage = Stage::default();
    let running = CallState::Running {
        since: Millis(12_000),
        progress: Some(Progress {
            done: 30.0,
            total: Some(100.0),
            message: Some("reading".into()),
        }),
        stopping: false,
    };
    stage
        .person("Go")
        .call(card("toolu_1", running))
        .call(waiting("toolu_2"))
        .notice(Level::Info, "The transcript of yesterday goes on.")
        .notice(Level::Warning, "The server `notes` is slow to start.")
        .notice(
            Level::Failure,
            "The stream was cut; what came is kept. F5 ask again.",
        );
    stage.busy = Some(Busy {
        since: Millis(40_000),
        what: Doing::Retrying {
            attempt: 3,
            until: Millis(64_200),
            reason: "overloaded",
        },
    });
    stage.queued = vec!["and Calais?".into()];
    check("states", &mut stage);
}

#[test]
fn a_call_in_full() {
    let mut stage = conversation();
    stage.overlay = Some(Overlay::Call {
        call: "toolu_1".into(),
        scroll: 0,
    });
    check("whole_call", &mut stage);
}

#[test]
fn servers_and_why_some_are_missing() {
    let mut stage = Stage {
        overlay: Some(Overlay::Servers { scroll: 0 }),
        ..Stage::default()
    };
    let ready = ServerStatus::Ready {
        title: Some("Files of Dover".into()),
        protocol: "2025-11-25".into(),
    };
    let failed = ServerStatus::Failed(ServerFailure {
        reason: "The command `no-such-bin` was not found. Check `command` in .mcp.json.".into(),
        command: "no-such-bin --stdio".into(),
        exit: Some("exit code 127".into()),
        stderr: vec!["sh: no-such-bin: not found".into()],
    });
    stage.servers.set_status("files".into(), ready);
    stage.servers.set_status("notes".into(), failed);
    stage
        .servers
        .set_status("slow".into(), ServerStatus::Slow { seconds: 30 });
    check("servers", &mut stage);
}

#[test]
fn transcripts_to_choose_from() {
    let summary = |title: &str, minutes: i64| Summary {
        id: title.into(),
        title: title.into(),
        folder: "/srv/tides".into(),
        changed: Timestamp(1_790_000_000_000 - minutes * 60_000),
        bytes: 4_000,
        in_use: false,
    };
    let replay = Replay {
        id: "t".into(),
        title: None,
        folder: "/srv/tides".into(),
        entries: vec![(
            Timestamp(0),
            Entry::UserSaid(vec![ContentBlock::Text("When is high water?".into())]),
        )],
        conversation: Conversation::default(),
        setup: None,
        notices: vec!["The last line was cut; it is left out.".into()],
    };
    let mut stage = Stage {
        overlay: Some(Overlay::Browser(Browser {
            list: Some(vec![
                summary("Tides at Dover", 5),
                summary("Ferry times, and what the harbour says", 300),
                summary("мой проект", 9_000),
            ]),
            chosen: 1,
            preview: Some(Ok(Box::new(replay))),
        })),
        ..Stage::default()
    };
    check("browser", &mut stage);
}

#[test]
fn help_lists_every_key() {
    let mut stage = Stage {
        overlay: Some(Overlay::Help { scroll: 0 }),
        ..Stage::default()
    };
    check("help", &mut stage);
}

#[test]
fn the_first_run_offers_the_demo() {
    let mut stage = Stage {
        overlay: Some(Overlay::FirstRun),
        ..Stage::default()
    };
    check("first_run", &mut stage);
}
