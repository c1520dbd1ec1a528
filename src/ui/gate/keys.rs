//! The gate's line of keys.

use ratatui::text::{Line, Span};

use crate::app::scene::Readiness;
use crate::keymap::action::{Action, Mode};
use crate::keymap::bindings::Keymap;
use crate::ui::gate::GatePanel;
use crate::ui::status;
use crate::ui::text;

/// The line of keys; `unseen` lines of the call are below and not counted anywhere else.
pub(super) fn line(panel: &GatePanel<'_>, unseen: usize, width: usize) -> Line<'static> {
    if panel.gate.reason.is_some() {
        return of_reason(panel, width);
    }
    match panel.gate.readiness {
        Readiness::NotDrawn => Line::styled("…", panel.theme.dim()),
        Readiness::StopTyping => stop_typing(panel, width),
        Readiness::Armed => of_keys(panel, unseen, &[], width),
        Readiness::NeedsEnd => of_keys(panel, unseen, &[needs_end(panel, width)], width),
        Readiness::PressAgain => of_keys(panel, unseen, &[press_again(panel)], width),
    }
}

/// Returns how the key for the next page is written.
pub(super) fn page_down(keymap: &Keymap) -> String {
    label(keymap, Action::PageDown).unwrap_or_else(|| "PgDn".to_owned())
}

fn stop_typing(panel: &GatePanel<'_>, width: usize) -> Line<'static> {
    let long = "  stop typing, and the gate takes keys after a moment";
    let said = [long, "  stop typing", "stop typing"]
        .into_iter()
        .find(|said| text::width(said) <= width)
        .unwrap_or("stop typing");
    Line::styled(said, panel.theme.attention())
}

fn of_reason(panel: &GatePanel<'_>, width: usize) -> Line<'static> {
    let send = panel.keymap.label(Mode::Line, Action::Submit);
    let back = panel.keymap.label(Mode::Line, Action::Close);
    let or = |label: String, standard: &str| {
        if label.is_empty() {
            standard.to_owned()
        } else {
            label
        }
    };
    let keys = [
        (
            or(send, "Enter"),
            if width < 40 {
                "deny"
            } else {
                "deny with this reason"
            },
        ),
        (or(back, "Esc"), "back"),
    ];
    status::key_spans(Vec::new(), &keys, width, panel.theme)
}

fn needs_end(panel: &GatePanel<'_>, width: usize) -> String {
    let run = label(panel.keymap, Action::Run).unwrap_or_default();
    if width >= 60 {
        format!(
            "scroll to the end to enable {run} ({})",
            page_down(panel.keymap)
        )
    } else {
        format!("{} to the end", page_down(panel.keymap))
    }
}

fn press_again(panel: &GatePanel<'_>) -> String {
    let run = label(panel.keymap, Action::Run).unwrap_or_default();
    format!("press {run} again")
}

fn of_keys(panel: &GatePanel<'_>, unseen: usize, first: &[String], width: usize) -> Line<'static> {
    let theme = panel.theme;
    let before: Vec<Span<'static>> = first
        .iter()
        .map(|said| Span::styled(said.clone(), theme.attention()))
        .collect();
    let more = format!("more, {}", page_down(panel.keymap));
    let several = panel.gate.calls.len() > 1;
    // The keys in the order of what a narrow line must not lose.
    let actions = [
        (Action::Run, "run", panel.gate.readiness == Readiness::Armed),
        (Action::Deny, "deny", true),
        (Action::DenyWithReason, "reason", true),
        (Action::ViewCall, "view", true),
        (Action::NextCall, "next", several),
        (Action::RunAll, "run all", several),
        (Action::DenyAll, "deny all", several),
        (Action::Interrupt, "deny all and stop", true),
    ];
    let mut keys: Vec<(String, &str)> = actions
        .into_iter()
        .filter(|(_, _, wanted)| *wanted)
        .filter_map(|(action, what, _)| Some((label(panel.keymap, action)?, what)))
        .collect();
    if unseen > 0 {
        let deny = keys.iter().position(|(_, what)| *what == "deny");
        keys.insert(deny.map_or(0, |at| at + 1), (format!("… {unseen}"), &more));
    }
    status::key_spans(before, &keys, width, theme)
}

fn label(keymap: &Keymap, action: Action) -> Option<String> {
    let label = keymap.label(Mode::Gate, action);
    (!label.is_empty()).then_some(label)
}
