//! A call as a card: what is called, with what, where it stands, what came back.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::timeline::{CallCard, CallState, ShownPart};
use crate::chat::listing::Progress;
use crate::chat::moment::Millis;
use crate::chat::tool::{Audience, TimeLimit, ToolOutcome};
use crate::ui::conversation::Setting;
use crate::ui::message::{self, counted};
use crate::ui::sanitize::{self, Care};
use crate::ui::text::{self, Wrap};
use crate::ui::units;

/// Lines of arguments and of a result that are shown folded.
const ARGUMENT_LINES: usize = 4;
const RESULT_LINES: usize = 6;

/// A call whose arguments are still arriving.
pub fn preparing(tool: &str, bytes: usize, setting: Setting) -> Vec<Line<'static>> {
    let theme = setting.theme;
    let name = sanitize::plain(tool, Care::Reading);
    let spans = vec![
        Span::styled(name, theme.strong()),
        Span::styled(format!("  preparing, {}", units::bytes(bytes)), theme.dim()),
    ];
    let lines = text::wrap(&spans, Wrap::words(message::room(setting)));
    message::marked(lines, "◌", theme.dim(), setting)
}

/// A call.
pub fn card(card: &CallCard, now: Millis, setting: Setting) -> Vec<Line<'static>> {
    let look = Look::of(&card.state, now, setting);
    let mut spans = name(card, setting);
    spans.push(Span::raw("  "));
    spans.push(Span::styled(look.words, look.style));
    let how = Wrap::words(message::room(setting));
    let mut lines = text::wrap(&spans, how);
    // While it waits, the gate shows the arguments, and all of them.
    if !matches!(card.state, CallState::Waiting(_)) || setting.unfolded {
        lines.extend(arguments(&card.arguments, setting));
    }
    if let CallState::Running {
        progress: Some(progress),
        ..
    } = &card.state
    {
        lines.push(progress_line(progress, setting));
    }
    if let CallState::Ended { outcome, .. } = &card.state {
        lines.extend(reason(outcome, setting));
    }
    lines.extend(result(&card.result, setting));
    message::marked(lines, look.mark, look.style, setting)
}

/// The server and the tool by their own names.
fn name(card: &CallCard, setting: Setting) -> Vec<Span<'static>> {
    let theme = setting.theme;
    let tool = text::styled(&card.tool, theme.strong(), Care::Deciding, theme);
    match &card.server {
        Some(server) => {
            let mut spans = text::styled(server.as_str(), theme.text(), Care::Deciding, theme);
            spans.push(Span::styled(" › ", theme.dim()));
            spans.extend(tool);
            spans
        }
        None => tool,
    }
}

/// How a state looks.
struct Look {
    mark: &'static str,
    style: Style,
    words: String,
}

impl Look {
    fn of(state: &CallState, now: Millis, setting: Setting) -> Self {
        let theme = setting.theme;
        match state {
            CallState::Waiting(_) => Self::new("◇", theme.attention(), "waits for you"),
            CallState::Running {
                since, stopping, ..
            } => {
                let word = if *stopping { "stopping" } else { "running" };
                // Whole seconds: what is laid out is kept until the next one.
                let took = units::span(Millis::from_secs(now.since(*since).as_secs()));
                Self::new("●", theme.accent(), format!("{word} {took}"))
            }
            CallState::Ended { outcome, took } => Self::ended(outcome, *took, setting),
        }
    }

    fn ended(outcome: &ToolOutcome, took: Millis, setting: Setting) -> Self {
        let theme = setting.theme;
        let (dim, failure) = (theme.dim(), theme.failure());
        let time = units::span(took);
        match outcome {
            ToolOutcome::Succeeded => Self::new("✓", dim, format!("done in {time}")),
            ToolOutcome::Failed => Self::new("✗", failure, format!("failed after {time}")),
            ToolOutcome::Denied | ToolOutcome::DeniedWithReason(_) => {
                Self::new("⊘", dim, "denied, not run")
            }
            ToolOutcome::Cancelled => Self::new("⊘", dim, format!("cancelled after {time}")),
            ToolOutcome::TimedOut(limit) => Self::new("✗", failure, timed_out(*limit)),
            ToolOutcome::ServerGone => Self::new("✗", failure, format!("server gone after {time}")),
            ToolOutcome::NotRun => Self::new("⊘", dim, "not run"),
        }
    }

    fn new(mark: &'static str, style: Style, words: impl Into<String>) -> Self {
        Self {
            mark,
            style,
            words: words.into(),
        }
    }
}

fn timed_out(limit: TimeLimit) -> String {
    match limit {
        TimeLimit::Idle(after) => {
            format!("timed out: nothing was heard for {}", units::span(after))
        }
        TimeLimit::Total(after) => {
            format!("timed out: the limit is {} in all", units::span(after))
        }
    }
}

fn reason(outcome: &ToolOutcome, setting: Setting) -> Vec<Line<'static>> {
    match outcome {
        ToolOutcome::DeniedWithReason(reason) => {
            let said = format!("You said: {reason}");
            let how = Wrap::words(message::room(setting));
            text::paragraph(
                &said,
                setting.theme.text(),
                Care::Reading,
                how,
                setting.theme,
            )
        }
        ToolOutcome::Succeeded
        | ToolOutcome::Failed
        | ToolOutcome::Denied
        | ToolOutcome::Cancelled
        | ToolOutcome::TimedOut(_)
        | ToolOutcome::ServerGone
        | ToolOutcome::NotRun => Vec::new(),
    }
}

fn arguments(arguments: &str, setting: Setting) -> Vec<Line<'static>> {
    let inner = without_braces(arguments);
    if inner.trim().is_empty() {
        return Vec::new();
    }
    let theme = setting.theme;
    let how = Wrap::anywhere(message::room(setting));
    let lines = text::paragraph(&inner, theme.dim(), Care::Deciding, how, theme);
    message::folded(lines, ARGUMENT_LINES, setting)
}

/// The members of an indented object without the braces around them, moved left.
fn without_braces(json: &str) -> String {
    let inner = json
        .trim()
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    match inner {
        Some(members) => {
            let lines = members.trim_matches('\n').split('\n');
            let moved: Vec<&str> = lines
                .map(|line| line.strip_prefix("  ").unwrap_or(line))
                .collect();
            moved.join("\n")
        }
        None => json.to_owned(),
    }
}

fn progress_line(progress: &Progress, setting: Setting) -> Line<'static> {
    let theme = setting.theme;
    let mut spans = Vec::new();
    match progress.total.filter(|total| *total > 0.0) {
        Some(total) => {
            let part = (progress.done / total).clamp(0.0, 1.0);
            spans.extend(bar(part, setting));
            spans.push(Span::styled(
                format!(" {:.0} of {:.0}", progress.done, total),
                theme.dim(),
            ));
        }
        None => spans.push(Span::styled(
            format!("{:.0} so far", progress.done),
            theme.dim(),
        )),
    }
    if let Some(said) = &progress.message {
        let said = sanitize::plain(&said.replace('\n', " "), Care::Reading);
        spans.push(Span::styled(format!("  {said}"), theme.dim()));
    }
    text::cut(Line::from(spans), message::room(setting))
}

/// A bar of ten columns.
fn bar(part: f64, setting: Setting) -> [Span<'static>; 2] {
    const COLUMNS: usize = 10;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part of ten columns, from 0 to 10"
    )]
    let full = ((part * 10.0).round() as usize).min(COLUMNS);
    [
        Span::styled("━".repeat(full), setting.theme.accent()),
        Span::styled("─".repeat(COLUMNS - full), setting.theme.dim()),
    ]
}

fn result(parts: &[ShownPart], setting: Setting) -> Vec<Line<'static>> {
    let lines: Vec<Line<'static>> = parts.iter().flat_map(|one| part(one, setting)).collect();
    message::folded(lines, RESULT_LINES, setting)
}

fn part(part: &ShownPart, setting: Setting) -> Vec<Line<'static>> {
    let theme = setting.theme;
    let how = Wrap::words(message::room(setting));
    match part {
        ShownPart::Text {
            text: said,
            audience: Audience::Model,
        } if !setting.unfolded => {
            let count = said.lines().count();
            let label = format!("{} for the model", counted(count, "line"));
            text::paragraph(&label, theme.dim(), Care::Reading, how, theme)
        }
        ShownPart::Text { text: said, .. } => {
            let said = said.trim_end_matches('\n');
            if said.trim().is_empty() {
                return Vec::new();
            }
            text::paragraph(said, theme.text(), Care::Reading, how, theme)
        }
        ShownPart::Media { media_type, bytes } => {
            let label = format!("{media_type}, {}", units::bytes(*bytes));
            text::paragraph(&label, theme.dim(), Care::Reading, how, theme)
        }
    }
}
