//! What was said: the person's text, the model's thinking, lines to the person.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::notice::{Level, Notice};
use crate::ui::conversation::Setting;
use crate::ui::sanitize::{self, Care};
use crate::ui::text::{self, Wrap};

/// Lines of text are hard to read when they are longer than this.
const LONGEST: usize = 110;

/// Returns the columns left of everything; marks stand in it.
pub const fn gutter(setting: Setting) -> usize {
    if setting.width >= 12 { 2 } else { 0 }
}

/// Returns the columns beside the gutter.
pub fn room(setting: Setting) -> usize {
    let width = usize::from(setting.width).saturating_sub(gutter(setting));
    // One column stays free at the right, so that text does not touch the edge.
    let width = if width > 24 { width - 1 } else { width };
    width.clamp(1, LONGEST)
}

/// Moves lines right by the gutter.
pub fn in_gutter(lines: &[Line<'static>], setting: Setting) -> Vec<Line<'static>> {
    marked(lines.to_vec(), "", Style::new(), setting)
}

/// Moves lines right by the gutter, with a mark in it beside the first line.
pub fn marked(
    lines: Vec<Line<'static>>,
    mark: &'static str,
    style: Style,
    setting: Setting,
) -> Vec<Line<'static>> {
    let gutter = gutter(setting);
    if gutter == 0 {
        return lines;
    }
    let free = " ".repeat(gutter);
    let first = if mark.is_empty() {
        Span::raw(free.clone())
    } else {
        Span::styled(format!("{mark} "), style)
    };
    text::prefixed(lines, &[first], &[Span::raw(free)])
}

/// What the person said.
pub fn person(message: &str, queued: bool, setting: Setting) -> Vec<Line<'static>> {
    let theme = setting.theme;
    let (style, mark) = if queued {
        (theme.dim(), theme.dim())
    } else {
        (theme.strong(), theme.person())
    };
    let how = Wrap::words(room(setting));
    let mut lines = text::paragraph(message, style, Care::Reading, how, theme);
    if queued {
        lines.push(Line::styled("queued", theme.dim()));
    }
    marked(lines, "›", mark, setting)
}

/// The model's thinking: one line, or all of it when details are unfolded.
pub fn thinking(message: &str, whole: bool, setting: Setting) -> Vec<Line<'static>> {
    let theme = setting.theme;
    let style = theme.dim().patch(theme.emphasis());
    let words = message.split_whitespace().count();
    let label = match (whole, words) {
        (false, 0) => "thinking…".to_owned(),
        (false, _) => format!("thinking… {}", counted(words, "word")),
        (true, 0) => "thought".to_owned(),
        (true, _) => format!("thought · {}", counted(words, "word")),
    };
    if setting.unfolded && words > 0 {
        let mut lines = vec![Line::styled(label, theme.dim())];
        let how = Wrap::words(room(setting));
        lines.extend(text::paragraph(
            message.trim(),
            style,
            Care::Reading,
            how,
            theme,
        ));
        return marked(lines, "∴", theme.dim(), setting);
    }
    let mut spans = vec![Span::styled(label, theme.dim())];
    if let Some(first) = sanitize::lines(message).find(|line| !line.trim().is_empty()) {
        let first = first.trim().trim_matches('*');
        spans.push(Span::styled(" · ", theme.dim()));
        let shown: String = first.chars().take(LONGEST).collect();
        spans.push(Span::styled(sanitize::plain(&shown, Care::Reading), style));
    }
    let line = text::cut(Line::from(spans), room(setting));
    marked(vec![line], "∴", theme.dim(), setting)
}

/// A block of a kind that is not drawn.
pub fn other(kind: &str, setting: Setting) -> Vec<Line<'static>> {
    let theme = setting.theme;
    let kind = sanitize::plain(kind, Care::Reading);
    let how = Wrap::words(room(setting));
    let said = format!("A block of kind `{kind}`.");
    let lines = text::paragraph(&said, theme.dim(), Care::Reading, how, theme);
    marked(lines, "·", theme.dim(), setting)
}

/// A line to the person.
pub fn notice(notice: &Notice, setting: Setting) -> Vec<Line<'static>> {
    let theme = setting.theme;
    let (mark, style, words) = match notice.level {
        Level::Info => ("·", theme.dim(), theme.dim()),
        Level::Warning => ("!", theme.attention(), theme.text()),
        Level::Failure => ("✗", theme.failure(), theme.text()),
    };
    let how = Wrap::words(room(setting));
    let mut lines = text::paragraph(&notice.text, words, Care::Reading, how, theme);
    let details = notice.details.join("\n");
    if !details.is_empty() {
        let all = text::paragraph(&details, theme.dim(), Care::Reading, how, theme);
        lines.extend(folded(all, 3, setting));
    }
    marked(lines, mark, style, setting)
}

/// Keeps the first lines and counts the others, unless details are unfolded.
pub fn folded(lines: Vec<Line<'static>>, most: usize, setting: Setting) -> Vec<Line<'static>> {
    // A fold that hides a single line would take as much room as the line.
    if setting.unfolded || lines.len() <= most + 1 {
        return lines;
    }
    let hidden = lines.len() - most;
    let mut kept: Vec<Line<'static>> = lines.into_iter().take(most).collect();
    let label = text::cut_text(&format!("… {hidden} more lines"), room(setting));
    kept.push(Line::styled(label, setting.theme.dim()));
    kept
}

/// Says how many there are of something whose plural ends in `s`.
pub fn counted(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}
