//! Text in columns: how wide it is, and where its lines break.

use ratatui::buffer::CellWidth as _;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;

use crate::ui::sanitize::{self, Care, Piece};
use crate::ui::theme::Theme;

/// How far apart tab stops are.
const TAB: usize = 4;

/// Where lines may break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// At spaces, which a break swallows, and between wide characters; long words anywhere.
    AtWords,
    /// Anywhere, and nothing is swallowed: every character is on the screen.
    Anywhere,
}

/// How to wrap a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrap {
    /// Columns that a line may take.
    pub width: usize,
    /// Where lines may break.
    pub at: Break,
}

impl Wrap {
    /// Wraps at words.
    pub const fn words(width: usize) -> Self {
        Self {
            width,
            at: Break::AtWords,
        }
    }

    /// Wraps anywhere and swallows nothing.
    pub const fn anywhere(width: usize) -> Self {
        Self {
            width,
            at: Break::Anywhere,
        }
    }
}

/// Returns how many columns a text takes. It must have been cleaned.
pub fn width(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    text.graphemes(true)
        .map(|grapheme| {
            if grapheme.contains(char::is_control) {
                0
            } else {
                usize::from(grapheme.cell_width())
            }
        })
        .sum()
}

/// Returns how many columns a line takes.
pub fn line_width(line: &Line<'_>) -> usize {
    line.spans.iter().map(|span| width(&span.content)).sum()
}

/// Cleans one line of text and gives it a style; marks get their own.
pub fn styled(line: &str, style: Style, care: Care, theme: Theme) -> Vec<Span<'static>> {
    sanitize::clean(line, care)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => Span::styled(text, style),
            Piece::Mark(mark) => Span::styled(mark, style.patch(theme.mark())),
        })
        .collect()
}

/// Wraps one line. The spans must have been cleaned; tabs become spaces.
///
/// There is at least one line in the answer, and none is wider than asked.
pub fn wrap(spans: &[Span<'_>], wrap: Wrap) -> Vec<Line<'static>> {
    let mut row = Row::new(wrap);
    for span in spans {
        for grapheme in span.content.graphemes(true) {
            row.push(grapheme, span.style);
        }
    }
    row.finish()
}

/// Cleans and wraps text of any number of lines in one style.
pub fn paragraph(
    text: &str,
    style: Style,
    care: Care,
    how: Wrap,
    theme: Theme,
) -> Vec<Line<'static>> {
    sanitize::lines(text)
        .flat_map(|line| wrap(&styled(line, style, care, theme), how))
        .collect()
}

/// Puts `first` before the first line and `rest` before the others.
pub fn prefixed(
    lines: Vec<Line<'static>>,
    first: &[Span<'static>],
    rest: &[Span<'static>],
) -> Vec<Line<'static>> {
    lines
        .into_iter()
        .enumerate()
        .map(|(place, line)| {
            let prefix = if place == 0 { first } else { rest };
            let mut spans = prefix.to_vec();
            spans.extend(line.spans);
            Line::from(spans)
        })
        .collect()
}

/// Cuts a line to a width; what is lost is told by an ellipsis.
pub fn cut(line: Line<'static>, most: usize) -> Line<'static> {
    if line_width(&line) <= most {
        return line;
    }
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut left = most.saturating_sub(1);
    for span in line.spans {
        let (kept, whole) = head(&span.content, left);
        left -= width(kept);
        spans.push(Span::styled(kept.to_owned(), span.style));
        if !whole {
            break;
        }
    }
    if most > 0 {
        spans.push(Span::raw("…"));
    }
    Line::from(spans)
}

/// Cuts a cleaned text to a width; what is lost is told by an ellipsis.
pub fn cut_text(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let (kept, _) = head(text, most.saturating_sub(1));
    if most == 0 {
        String::new()
    } else {
        format!("{kept}…")
    }
}

/// Cuts a line to a width without saying so.
pub fn clip(line: Line<'static>, most: usize) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut left = most;
    for span in line.spans {
        let (kept, whole) = head(&span.content, left);
        left -= width(kept);
        spans.push(Span::styled(kept.to_owned(), span.style));
        if !whole {
            break;
        }
    }
    Line::from(spans)
}

/// Returns the tab stop after a column.
pub const fn next_tab(column: usize) -> usize {
    column + TAB - column % TAB
}

/// Replaces tabs by the spaces up to the next stop, columns counted from the first span.
pub fn with_tabs(spans: Vec<Span<'static>>) -> Vec<Span<'static>> {
    let mut column = 0;
    spans
        .into_iter()
        .map(|span| {
            let mut text = String::new();
            for grapheme in span.content.graphemes(true) {
                if grapheme == "\t" {
                    let stop = next_tab(column);
                    text.extend(std::iter::repeat_n(' ', stop - column));
                    column = stop;
                } else {
                    text.push_str(grapheme);
                    column += width(grapheme);
                }
            }
            Span::styled(text, span.style)
        })
        .collect()
}

/// Returns the longest start of a text that fits, and whether that is all of it.
fn head(text: &str, most: usize) -> (&str, bool) {
    let mut taken = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        taken += width(grapheme);
        if taken > most {
            return (text.get(..at).unwrap_or(""), false);
        }
    }
    (text, true)
}

/// A grapheme in the line that is being filled.
struct Cell<'s> {
    text: &'s str,
    style: Style,
    width: usize,
    /// A line may break before this one.
    break_before: bool,
    space: bool,
}

struct Row<'s> {
    wrap: Wrap,
    done: Vec<Line<'static>>,
    cells: Vec<Cell<'s>>,
    width: usize,
}

impl<'s> Row<'s> {
    fn new(wrap: Wrap) -> Self {
        let width = wrap.width.max(1);
        Self {
            wrap: Wrap { width, ..wrap },
            done: Vec::new(),
            cells: Vec::new(),
            width: 0,
        }
    }

    fn push(&mut self, grapheme: &'s str, style: Style) {
        if grapheme == "\t" {
            for _ in 0..TAB - self.width % TAB {
                self.push_cell(" ", 1, style);
            }
            return;
        }
        // A cleaned text has no other control character; drawing would leave it out.
        if grapheme.contains(char::is_control) {
            return;
        }
        match usize::from(grapheme.cell_width()) {
            0 => {}
            width if width > self.wrap.width => self.push_cell("…", 1, style),
            width => self.push_cell(grapheme, width, style),
        }
    }

    fn push_cell(&mut self, text: &'s str, width: usize, style: Style) {
        let space = text == " ";
        while self.width + width > self.wrap.width {
            if space && self.wrap.at == Break::AtWords {
                // It hangs over the edge and is not seen.
                self.note_break();
                return;
            }
            let here = self.may_break_before(width, space);
            self.break_line(here);
        }
        let break_before = self.may_break_before(width, space);
        self.width += width;
        self.cells.push(Cell {
            text,
            style,
            width,
            break_before,
            space,
        });
    }

    /// A space was swallowed at the edge: what follows begins a new line.
    fn note_break(&mut self) {
        if self.cells.last().is_some_and(|last| !last.space) {
            let style = self.cells.last().map_or(Style::new(), |last| last.style);
            self.cells.push(Cell {
                text: "",
                style,
                width: 0,
                break_before: false,
                space: true,
            });
        }
    }

    fn may_break_before(&self, width: usize, space: bool) -> bool {
        self.cells
            .last()
            .is_some_and(|last| (last.space && !space) || last.width > 1 || width > 1)
    }

    /// Ends the line at its last break; `here` tells that its end is one.
    fn break_line(&mut self, here: bool) {
        let at = match self.wrap.at {
            Break::AtWords if !here => self.word_break(),
            Break::AtWords | Break::Anywhere => self.cells.len(),
        };
        let rest = self.cells.split_off(at);
        let full = std::mem::replace(&mut self.cells, rest);
        self.done.push(line_of(full, self.wrap.at));
        self.width = self.cells.iter().map(|cell| cell.width).sum();
    }

    fn word_break(&self) -> usize {
        self.cells
            .iter()
            .rposition(|cell| cell.break_before)
            .filter(|at| *at > 0 && self.cells.iter().take(*at).any(|cell| !cell.space))
            .unwrap_or(self.cells.len())
    }

    fn finish(mut self) -> Vec<Line<'static>> {
        let cells = std::mem::take(&mut self.cells);
        if !cells.is_empty() || self.done.is_empty() {
            self.done.push(line_of(cells, Break::Anywhere));
        }
        self.done
    }
}

/// Joins cells of one style; a break at a word swallows the spaces before it.
fn line_of(mut cells: Vec<Cell<'_>>, broken: Break) -> Line<'static> {
    if broken == Break::AtWords {
        while cells.last().is_some_and(|cell| cell.space) {
            cells.pop();
        }
    }
    let mut spans: Vec<Span<'static>> = Vec::new();
    for cell in cells {
        match spans.last_mut() {
            Some(last) if last.style == cell.style => last.content.to_mut().push_str(cell.text),
            Some(_) | None => spans.push(Span::styled(cell.text.to_owned(), cell.style)),
        }
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests;
