//! What a waiting call is, in full: names, claims, reasons for care, every argument.

use ratatui::text::{Line, Span};

use crate::app::scene::WaitingCall;
use crate::chat::listing::ToolHints;
use crate::ui::sanitize::Care;
use crate::ui::text::{self, Wrap};
use crate::ui::theme::Theme;

/// The lines of the call that was shown last.
#[derive(Debug, Default)]
pub struct GateCache {
    made_of: Option<Source>,
    lines: Vec<Line<'static>>,
}

#[derive(Debug, PartialEq, Eq)]
struct Source {
    words: Vec<String>,
    hints: ToolHints,
    width: usize,
    theme: Theme,
}

impl GateCache {
    /// Returns the lines of a call's body, laid out anew when anything about it has changed.
    pub(super) fn body(
        &mut self,
        call: &WaitingCall<'_>,
        width: usize,
        theme: Theme,
    ) -> &[Line<'static>] {
        let source = Source::of(call, width, theme);
        if self.made_of.as_ref() != Some(&source) {
            self.lines = body(call, width, theme);
            self.made_of = Some(source);
        }
        &self.lines
    }
}

impl Source {
    fn of(call: &WaitingCall<'_>, width: usize, theme: Theme) -> Self {
        let mut words = vec![
            call.id.to_string(),
            call.public_name.to_string(),
            call.server.map(ToString::to_string).unwrap_or_default(),
            call.tool.to_owned(),
            call.title.unwrap_or_default().to_owned(),
            call.arguments.to_owned(),
        ];
        words.extend(call.raised.iter().cloned());
        Self {
            words,
            hints: call.hints,
            width,
            theme,
        }
    }
}

/// The part of a body that fits.
pub(super) struct Body {
    pub(super) visible: Vec<Line<'static>>,
    pub(super) above: usize,
    pub(super) below: usize,
    pub(super) max_scroll: usize,
}

impl Body {
    /// Takes the lines from `scroll` on that fit into so many rows. When there are more, the last
    /// row is left for the line that counts them, unless it is the only one.
    pub(super) fn window(lines: &[Line<'static>], scroll: usize, rows: usize) -> Self {
        let max_scroll = lines.len().saturating_sub(rows);
        let above = scroll.min(max_scroll);
        let left = lines.len() - above;
        let shown = if left > rows && rows > 1 {
            rows - 1
        } else {
            left.min(rows)
        };
        Self {
            visible: lines.iter().skip(above).take(shown).cloned().collect(),
            above,
            below: left - shown,
            max_scroll,
        }
    }
}

/// The server and the tool, by the server's own name.
pub(super) fn name(call: &WaitingCall<'_>, theme: Theme) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    if let Some(server) = call.server {
        let name = one_line(server.as_str());
        spans.extend(text::styled(&name, theme.strong(), Care::Deciding, theme));
        spans.push(Span::styled(" › ", theme.dim()));
    }
    let tool = one_line(call.tool);
    spans.extend(text::styled(&tool, theme.strong(), Care::Deciding, theme));
    spans
}

/// Every line about a call; nothing is left out and nothing is cut.
fn body(call: &WaitingCall<'_>, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let indent = if width > 24 { 2 } else { 0 };
    let how = Wrap::anywhere(width.saturating_sub(indent));
    let said = |said: &str, style| text::paragraph(said, style, Care::Deciding, how, theme);
    let mut lines = Vec::new();
    let mut name = name(call, theme);
    if name
        .iter()
        .map(|span| text::width(&span.content))
        .sum::<usize>()
        + 2
        > width
    {
        lines.extend(text::wrap(&std::mem::take(&mut name), how));
    }
    for reason in call.raised {
        lines.extend(said(&format!("raised: {reason}"), theme.attention()));
    }
    let title = call.title.filter(|title| *title != call.tool);
    let title = title.map(|title| format!("title “{title}”"));
    let claimed: Vec<String> = claims(call.hints).into_iter().chain(title).collect();
    if !claimed.is_empty() {
        let claimed = format!("claimed by the server: {}", claimed.join(" · "));
        // These are words to read, not bytes to run: they break between words.
        let words = Wrap::words(how.width);
        lines.extend(text::paragraph(
            &claimed,
            theme.dim(),
            Care::Deciding,
            words,
            theme,
        ));
    }
    if !is_plain_name(call) {
        let model = format!("the model calls it {}", call.public_name);
        lines.extend(said(&model, theme.dim()));
    }
    let arguments = call.arguments.trim_end_matches('\n');
    lines.extend(if matches!(arguments.trim(), "" | "{}") {
        said("no arguments", theme.dim())
    } else {
        said(arguments, theme.text())
    });
    let free = Span::raw(" ".repeat(indent));
    text::prefixed(
        lines,
        std::slice::from_ref(&free),
        std::slice::from_ref(&free),
    )
}

fn is_plain_name(call: &WaitingCall<'_>) -> bool {
    call.server
        .is_some_and(|server| call.public_name.as_str() == format!("{server}__{}", call.tool))
}

/// What a server claims about a tool, in words.
pub(in crate::ui) fn claims(hints: ToolHints) -> Option<String> {
    let words: Vec<&str> = [
        (hints.read_only, "read-only", "not read-only"),
        (hints.destructive, "destructive", "not destructive"),
        (hints.idempotent, "idempotent", "not idempotent"),
        (hints.open_world, "reaches outside", "stays inside"),
    ]
    .into_iter()
    .filter_map(|(hint, yes, no)| hint.map(|hint| if hint { yes } else { no }))
    .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// A name is one line whatever it holds: line feeds are spelled out.
fn one_line(name: &str) -> String {
    name.replace('\n', "\\n")
}
