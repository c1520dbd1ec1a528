//! Stories about the gate: what is seen of a call, and what is told about it.

use crate::app::overlay::Overlay;
use crate::app::scene::Readiness;
use crate::app::shown::ShownCall;
use crate::app::timeline::CallCard;
use crate::chat::id::{ServerName, ToolName, ToolUseId};
use crate::ui::tests::stage::{Picture, Stage, redacted, waiting};

fn gate_of(arguments: &str) -> Stage {
    let mut stage = Stage::default();
    stage.person("Go").call(CallCard {
        arguments: redacted(arguments),
        ..waiting("toolu_1")
    });
    stage.gate = Some((0, Readiness::Armed, 0));
    stage
}

fn long() -> Stage {
    let lines: Vec<String> = (0..50)
        .map(|line| format!("  \"k{line}\": {line}"))
        .collect();
    gate_of(&format!("{{\n{}\n}}", lines.join(",\n")))
}

fn shown(picture: &Picture) -> ShownCall {
    picture.shown.gate.clone().unwrap()
}

#[test]
fn a_short_call_is_seen_to_its_end() {
    let mut stage = gate_of("{\n  \"path\": \"x\"\n}");
    assert_eq!(
        shown(&stage.draw(80, 24)),
        ShownCall {
            call: ToolUseId::from("toolu_1"),
            end_visible: true,
            max_scroll: 0,
            page_height: 4,
        }
    );
}

#[test]
fn a_long_call_counts_exactly_what_is_below_and_ends_where_it_ends() {
    let mut stage = long();
    for (width, height) in [(80, 24), (40, 12), (20, 6)] {
        stage.gate = Some((0, Readiness::Armed, 0));
        let picture = stage.draw(width, height);
        let first = shown(&picture);
        assert!(!first.end_visible);
        let below =
            first.max_scroll + visible_at_end(&mut stage, width, height) - first.page_height;
        assert!(
            picture.text().contains(&format!("… {below} more")),
            "{}",
            picture.text()
        );
        stage.gate = Some((0, Readiness::Armed, first.max_scroll));
        let last = stage.draw(width, height);
        assert!(shown(&last).end_visible);
        assert!(!last.text().contains("more lines below"), "{}", last.text());
        stage.gate = Some((0, Readiness::Armed, first.max_scroll - 1));
        assert!(!shown(&stage.draw(width, height)).end_visible);
    }
}

fn visible_at_end(stage: &mut Stage, width: u16, height: u16) -> usize {
    stage.gate = Some((0, Readiness::Armed, usize::MAX));
    shown(&stage.draw(width, height)).page_height
}

#[test]
fn the_gate_names_its_keys_at_every_size_that_has_room() {
    for (readiness, words) in [
        (Readiness::Armed, ["y run", "n deny"]),
        (Readiness::StopTyping, ["stop typing", "stop typing"]),
        (Readiness::PressAgain, ["press y again", "press y again"]),
    ] {
        for (width, height) in [(20, 6), (20, 4), (24, 8), (40, 12), (80, 24), (200, 60)] {
            let mut stage = long();
            stage.gate = Some((0, readiness, 0));
            let text = stage.draw(width, height).text();
            for word in words {
                assert!(text.contains(word), "{width}x{height}\n{text}");
            }
            assert!(text.contains("read_file"), "{width}x{height}\n{text}");
        }
    }
}

#[test]
fn what_could_deceive_is_spelled_out() {
    let mut stage = gate_of(
        "{\n  \"target\": \"a\u{202e}\u{2066}txt.exe\u{2069}\",\n  \"n\": \"ad\u{200b}min\",\n  \"na\u{200b}me\": 1,\n  \"name\": 2,\n  \"esc\": \"\u{1b}[2K\"\n}",
    );
    let text = stage.draw(80, 24).text();
    for spelled in [
        "a\\u{202e}\\u{2066}txt.exe\\u{2069}",
        "ad\\u{200b}min",
        "\"na\\u{200b}me\"",
        "\"name\"",
        "\\u{1b}[2K",
    ] {
        assert!(text.contains(spelled), "{text}");
    }
}

#[test]
fn a_tool_is_named_by_its_server_and_by_the_model_when_that_differs() {
    let mut stage = Stage::default();
    stage.call(CallCard {
        server: Some(ServerName::from("cal")),
        tool: "cal.list\nfoo".into(),
        public_name: ToolName::from("cal__cal_list_7f"),
        ..waiting("toolu_1")
    });
    stage.gate = Some((0, Readiness::Armed, 0));
    let text = stage.draw(80, 24).text();
    assert!(text.contains("cal › cal.list\\nfoo"), "{text}");
    assert!(
        text.contains("the model calls it cal__cal_list_7f"),
        "{text}"
    );
}

#[test]
fn the_whole_call_seen_in_its_own_view_counts_as_seen() {
    let mut stage = long();
    let call = ToolUseId::from("toolu_1");
    stage.overlay = Some(Overlay::Call {
        call: call.clone(),
        scroll: 0,
    });
    let picture = stage.draw(80, 24);
    assert!(!shown(&picture).end_visible);
    assert!(picture.shown.overlay_max_scroll > 0);
    stage.overlay = Some(Overlay::Call {
        call,
        scroll: picture.shown.overlay_max_scroll,
    });
    assert!(shown(&stage.draw(80, 24)).end_visible);
}

#[test]
fn another_layer_hides_the_gate() {
    let mut stage = gate_of("{}");
    stage.overlay = Some(Overlay::Help { scroll: 0 });
    assert_eq!(stage.draw(80, 24).shown.gate, None);
}
