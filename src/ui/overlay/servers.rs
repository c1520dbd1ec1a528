//! The servers page: which are there, and why the others are not.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::servers::{ServerEntry, ServerFailure, ServerStatus, Servers};
use crate::ui::message::counted;
use crate::ui::sanitize::Care;
use crate::ui::text::{self, Wrap};
use crate::ui::theme::Theme;

/// Lays the page out.
pub(super) fn lines(servers: &Servers, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (name, entry) in servers.iter() {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        let (mark, style, words) = summary(entry, theme);
        let mut spans = vec![Span::styled(mark, style)];
        spans.extend(text::styled(
            name.as_str(),
            theme.strong(),
            Care::Reading,
            theme,
        ));
        spans.push(Span::styled("  ", theme.text()));
        spans.extend(text::styled(&words, theme.dim(), Care::Reading, theme));
        lines.extend(text::wrap(&spans, Wrap::words(width)));
        if let ServerStatus::Failed(failure) = &entry.status {
            lines.extend(why(failure, theme, width));
        }
    }
    if lines.is_empty() {
        let said = "No server is configured. Add one to mcp.json beside config.toml, or name a \
                    file with --mcp-config.";
        lines = text::paragraph(said, theme.dim(), Care::Reading, Wrap::words(width), theme);
    }
    lines
}

fn summary(entry: &ServerEntry, theme: Theme) -> (&'static str, Style, String) {
    let tools = counted(entry.tools, "tool");
    match &entry.status {
        ServerStatus::Starting => ("◌ ", theme.dim(), "starting".to_owned()),
        ServerStatus::Slow { seconds } => {
            let words = format!("not ready after {seconds} s, still starting");
            ("◌ ", theme.attention(), words)
        }
        ServerStatus::Ready { title, protocol } => {
            let title = title.as_ref().map(|title| format!("{title} · "));
            let words = format!("{}{tools} · protocol {protocol}", title.unwrap_or_default());
            ("● ", theme.accent(), words)
        }
        ServerStatus::Failed(_) => ("✗ ", theme.failure(), "not there".to_owned()),
        ServerStatus::Disabled => ("○ ", theme.dim(), "switched off".to_owned()),
    }
}

fn why(failure: &ServerFailure, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let indent = if width > 24 { 2 } else { 0 };
    let how = Wrap::words(width.saturating_sub(indent).max(1));
    let said = |said: &str, style| text::paragraph(said, style, Care::Reading, how, theme);
    let mut lines = said(&failure.reason, theme.text());
    if !failure.command.is_empty() {
        lines.extend(said(&format!("command: {}", failure.command), theme.dim()));
    }
    if let Some(exit) = &failure.exit {
        lines.extend(said(&format!("ended with: {exit}"), theme.dim()));
    }
    if !failure.stderr.is_empty() {
        lines.extend(said("its last lines on stderr:", theme.dim()));
    }
    for line in &failure.stderr {
        lines.extend(said(line, theme.dim()));
    }
    let free = Span::raw(" ".repeat(indent));
    text::prefixed(
        lines,
        std::slice::from_ref(&free),
        std::slice::from_ref(&free),
    )
}
