//! Where the draft's lines break: at words as long as they fit, no character swallowed.
//!
//! The breaks are those of the editor that moves the cursor, measured as the draft is drawn: with
//! marks for control characters, and emoji sequences as one character.

use unicode_segmentation::UnicodeSegmentation;

use crate::ui::sanitize::{self, Care};
use crate::ui::text;

/// A row of the draft on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row<'a> {
    /// What it holds.
    pub(super) text: &'a str,
    /// Which line of the draft it belongs to.
    line: usize,
    /// How many characters of the line are before it.
    chars_before: usize,
    /// It is the last row of its line.
    last: bool,
}

/// Breaks lines into rows of at most so many columns.
pub(super) fn rows(lines: &[String], room: usize) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let pieces = pieces(line, room);
        let count = pieces.len();
        let mut chars_before = 0;
        for (at, text) in pieces.into_iter().enumerate() {
            rows.push(Row {
                text,
                line: place,
                chars_before,
                last: at + 1 == count,
            });
            chars_before += text.chars().count();
        }
    }
    rows
}

/// Returns the row and the column where the cursor stands.
pub(super) fn find_cursor(rows: &[Row<'_>], (line, chars): (usize, usize)) -> (usize, usize) {
    let found = rows.iter().enumerate().find(|(_, row)| {
        let end = row.chars_before + row.text.chars().count();
        row.line == line && (chars < end || (row.last && chars >= row.chars_before))
    });
    found.map_or((0, 0), |(at, row)| {
        let before: String = row.text.chars().take(chars - row.chars_before).collect();
        (at, columns(&before, 0))
    })
}

fn pieces(line: &str, room: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut end, mut width) = (0, 0, 0);
    for (at, word) in line.split_word_bound_indices() {
        let word_width = columns(word, width);
        if width + word_width <= room {
            (end, width) = (at + word.len(), width + word_width);
            continue;
        }
        if end > start {
            pieces.extend(line.get(start..end));
            (start, width) = (end, 0);
        }
        for (offset, grapheme) in word.grapheme_indices(true) {
            let grapheme_width = columns(grapheme, width);
            if width + grapheme_width > room && at + offset > start {
                pieces.extend(line.get(start..at + offset));
                (start, width) = (at + offset, 0);
            }
            width += columns(grapheme, width);
        }
        end = at + word.len();
    }
    pieces.extend(line.get(start..));
    pieces
}

/// Returns how many columns a part of a line takes that begins in a column.
fn columns(part: &str, from: usize) -> usize {
    let mut column = from;
    for piece in part.split_inclusive('\t') {
        let (piece, tab) = match piece.strip_suffix('\t') {
            Some(piece) => (piece, true),
            None => (piece, false),
        };
        column += text::width(&sanitize::plain(piece, Care::Reading));
        if tab {
            column = text::next_tab(column);
        }
    }
    column - from
}
