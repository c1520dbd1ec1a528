//! A line that is being written, with its cursor: scrolled sideways so that the cursor is seen.

use ratatui::text::Line;
use unicode_segmentation::UnicodeSegmentation;

use crate::ui::sanitize::Care;
use crate::ui::text;
use crate::ui::theme::Theme;

/// Draws the part of a line around its cursor. Returns it with the cursor's column in it.
///
/// `cursor` counts the characters before the cursor.
pub fn draw(line: &str, cursor: usize, room: usize, theme: Theme) -> (Line<'static>, usize) {
    let at = line
        .char_indices()
        .nth(cursor)
        .map_or(line.len(), |(at, _)| at);
    let (before, after) = line.split_at_checked(at).unwrap_or((line, ""));
    let clean = |part: &str| text::styled(part, theme.text(), Care::Reading, theme);
    // One column stays free for the cursor at the end.
    let room = room.saturating_sub(1);
    let mut spans = clean(before);
    let mut column: usize = spans.iter().map(|span| text::width(&span.content)).sum();
    while column > room && !spans.is_empty() {
        let first = spans.remove(0);
        let over = column - room;
        let kept = without_start(&first.content, over);
        column -= text::width(&first.content) - text::width(kept);
        if !kept.is_empty() {
            spans.insert(0, ratatui::text::Span::styled(kept.to_owned(), first.style));
        }
    }
    spans.extend(clean(after));
    (text::clip(Line::from(spans), room + 1), column)
}

/// Returns the text without at least so many columns at its start.
fn without_start(line: &str, columns: usize) -> &str {
    let mut gone = 0;
    for (at, grapheme) in line.grapheme_indices(true) {
        if gone >= columns {
            return line.get(at..).unwrap_or("");
        }
        gone += text::width(grapheme);
    }
    ""
}
