//! Any text, any size: nothing panics, and no control character reaches a cell.

use proptest::prelude::*;

use crate::app::notice::{Level, Notice};
use crate::app::overlay::{Browser, Overlay};
use crate::app::scene::Readiness;
use crate::app::scroll::Wish;
use crate::app::servers::{ServerFailure, ServerStatus};
use crate::app::timeline::{CallCard, CallState, ItemBody, ShownPart};
use crate::chat::id::{ServerName, ToolName};
use crate::chat::listing::Progress;
use crate::chat::moment::{Millis, Timestamp};
use crate::chat::tool::{Audience, ToolOutcome};
use crate::transcript::summary::Summary;
use crate::ui::tests::stage::{Picture, Stage, card, redacted, waiting};

/// A stage on which a text stands wherever text from outside can stand.
fn everywhere(text: &str) -> Stage {
    let mut stage = Stage {
        title: text.to_owned(),
        queued: vec![text.to_owned()],
        flashes: vec![text.to_owned()],
        raised: vec![text.to_owned()],
        ..Stage::default()
    };
    stage
        .person(text)
        .thinking(text, true)
        .reply(text, false)
        .push(ItemBody::Preparing {
            tool: text.to_owned(),
            bytes: 10,
        })
        .push(ItemBody::Other {
            kind: text.to_owned(),
        })
        .push(ItemBody::Notice(Notice {
            level: Level::Failure,
            text: text.to_owned(),
            details: vec![text.to_owned()],
        }));
    calls(text, &mut stage);
    stage.composer.insert(text);
    let failed = ServerStatus::Failed(ServerFailure {
        reason: text.to_owned(),
        command: text.to_owned(),
        exit: Some(text.to_owned()),
        stderr: vec![text.to_owned()],
    });
    stage.servers.set_status(ServerName::new(text), failed);
    stage
}

fn calls(text: &str, stage: &mut Stage) {
    let named = |call: CallCard| CallCard {
        server: Some(ServerName::new(text)),
        tool: text.to_owned(),
        public_name: ToolName::new(text),
        title: Some(text.to_owned()),
        arguments: redacted(text),
        ..call
    };
    let running = CallState::Running {
        since: Millis(0),
        progress: Some(Progress {
            done: 1.0,
            total: None,
            message: Some(text.to_owned()),
        }),
        stopping: false,
    };
    let denied = CallState::Ended {
        outcome: ToolOutcome::DeniedWithReason(text.to_owned()),
        took: Millis(10),
    };
    stage.call(named(card("toolu_1", running)));
    let mut ended = named(card("toolu_2", denied));
    ended.result = vec![
        ShownPart::Text {
            text: redacted(text),
            audience: Audience::Everybody,
        },
        ShownPart::Media {
            media_type: text.to_owned(),
            bytes: 5_000,
        },
    ];
    stage
        .call(ended)
        .call(named(waiting("toolu_3")))
        .call(named(waiting("toolu_4")));
}

fn layers(text: &str) -> Vec<Option<Overlay>> {
    let browser = Browser {
        list: Some(vec![Summary {
            id: "t".into(),
            title: text.to_owned(),
            folder: text.to_owned(),
            changed: Timestamp(0),
            bytes: 1,
            in_use: false,
        }]),
        chosen: 0,
        preview: Some(Err(text.to_owned())),
    };
    vec![
        None,
        Some(Overlay::Help { scroll: 3 }),
        Some(Overlay::Servers { scroll: 1 }),
        Some(Overlay::FirstRun),
        Some(Overlay::Call {
            call: "toolu_2".into(),
            scroll: 2,
        }),
        Some(Overlay::Browser(browser)),
    ]
}

fn assert_clean(picture: &Picture) {
    for cell in &picture.buffer.content {
        let symbol = cell.symbol();
        assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
        assert!(
            !symbol.contains(['\u{202e}', '\u{2066}', '\u{200f}']),
            "{symbol:?}"
        );
    }
}

fn storm(stage: &mut Stage, text: &str, sizes: &[(u16, u16)]) {
    for overlay in layers(text) {
        stage.overlay = overlay;
        for readiness in [None, Some(Readiness::StopTyping), Some(Readiness::NeedsEnd)] {
            stage.gate = readiness.map(|readiness| (1, readiness, 1));
            stage.reason = readiness.map(|_| (text.replace('\n', " "), 1));
            for (width, height) in sizes {
                assert_clean(&stage.settle(*width, *height));
            }
        }
    }
}

#[test]
fn odd_sizes_are_drawn_like_any_other() {
    let text = "a 职里缘 ✅ “quotes” \u{202f}한글 😊 ❤️👩‍🔬 e\u{301} กำ\n\u{1b}[2K\u{9b}1m\r\n| a | b |\n|--|--|\n| 1 | 2 |\n";
    let mut stage = everywhere(text);
    let sizes = [
        (0, 0),
        (1, 1),
        (2, 1),
        (1, 2),
        (5, 3),
        (300, 2),
        (2, 100),
        (20, 6),
        (700, 200),
        (80, 24),
    ];
    storm(&mut stage, text, &sizes);
}

#[test]
fn every_width_shows_whole_characters() {
    let text = "| 职里缘 | ✅ |\n|---|---|\n| “quotes” | 한글😊 |\n\nprose 职里缘 ✅ 한글 😊";
    for offset in 0..4 {
        let text = format!("{}{text}", "x".repeat(offset));
        let mut stage = everywhere(&text);
        for width in 8..60 {
            assert_clean(&stage.draw(width, 20));
        }
    }
}

#[test]
fn after_a_storm_the_screen_is_as_fresh_as_ever() {
    let text = "once upon a time\n\n- a\n- b\n\n```\ncode\n```";
    let mut stage = everywhere(text);
    let fresh = stage.settle(80, 24);
    for size in [(1, 1), (0, 0), (5, 3), (700, 200), (33, 17), (2, 100)] {
        stage.settle(size.0, size.1);
    }
    assert_eq!(stage.settle(80, 24).buffer, fresh.buffer);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_text_at_any_size(
        text in prop_oneof![any::<String>(), "[\u{1b}\u{9b}\r\n\t\u{8}\u{202e}a-c 한👩\u{200d}`|*#-]{0,60}"],
        sizes in prop::collection::vec((0_u16..130, 0_u16..50), 1..3),
        pages in -3_i32..4,
    ) {
        let mut stage = everywhere(&text);
        for (width, height) in sizes {
            stage.scroll.wish_for(Wish::By { pages, lines: 1 });
            storm(&mut stage, &text, &[(width, height)]);
        }
    }
}
