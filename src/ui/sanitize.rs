//! The one door for text: no control character reaches a cell, and what can't be seen is marked.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;

use ratatui::buffer::CellWidth as _;

/// How much of a text must be visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Care {
    /// For reading: emoji and joined scripts stay as they are, harmless invisible characters
    /// are left out, everything that could act is marked.
    Reading,
    /// For deciding: every character that can't be seen, or turns the direction, is spelled out.
    Deciding,
}

/// A piece of text after the door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text that is safe to draw. Holds no control character but the tab.
    Text(String),
    /// A mark that stands for a character that is not drawn.
    Mark(String),
}

/// Cleans one line of text. Line feeds are the caller's business; one that gets here is marked.
pub fn clean(line: &str, care: Care) -> Vec<Piece> {
    if line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
        return if line.is_empty() {
            Vec::new()
        } else {
            vec![Piece::Text(line.to_owned())]
        };
    }
    let mut pieces = Pieces::default();
    let mut before = None;
    let mut rest = line.chars().peekable();
    while let Some(char) = rest.next() {
        match treat(char, before, rest.peek().copied(), care) {
            Treatment::Keep => pieces.text(char),
            Treatment::Leave => {}
            Treatment::Picture(picture) => pieces.mark(&picture.to_string()),
            Treatment::Spell => pieces.mark(&spelled(char)),
        }
        before = Some(char);
    }
    pieces.done(care)
}

/// Splits text into lines the way it is shown: `\r\n`, `\n` and the Unicode separators end a line.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// Returns the text with every character that can't be drawn replaced, marks and text alike.
pub fn plain(line: &str, care: Care) -> String {
    clean(line, care)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.replace('\t', " "),
            Piece::Mark(mark) => mark,
        })
        .collect()
}

#[derive(Debug, PartialEq, Eq)]
enum Treatment {
    Keep,
    Leave,
    Picture(char),
    Spell,
}

fn treat(char: char, before: Option<char>, after: Option<char>, care: Care) -> Treatment {
    match char {
        '\t' => Treatment::Keep,
        '\0'..='\x1f' | '\x7f' => picture_of(char, care),
        '\u{80}'..='\u{9f}' => Treatment::Spell,
        _ if turns_direction(char) || is_separator(char) => Treatment::Spell,
        _ if is_tag(char) => tag(before, care),
        _ if is_invisible(char) => invisible(char, before, after, care),
        _ if care == Care::Deciding && is_odd_space(char) => Treatment::Spell,
        _ => Treatment::Keep,
    }
}

fn picture_of(char: char, care: Care) -> Treatment {
    if care == Care::Deciding {
        return Treatment::Spell;
    }
    let code = match char {
        '\x7f' => 0x2421,
        _ => 0x2400 + u32::from(char),
    };
    char::from_u32(code).map_or(Treatment::Spell, Treatment::Picture)
}

/// Bidirectional controls: marks, embeddings, overrides and isolates.
const fn turns_direction(char: char) -> bool {
    matches!(
        char,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
    )
}

const fn is_separator(char: char) -> bool {
    matches!(
        char,
        '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
    )
}

const fn is_tag(char: char) -> bool {
    matches!(char, '\u{e0000}'..='\u{e007f}')
}

/// Characters that take no cell, or an empty one, and say nothing by themselves.
const fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{e0080}'..='\u{e0fff}'
    )
}

/// White space that reads like a plain space but is none. The ideographic space is left alone: it
/// is as wide as it looks and common where it is used.
const fn is_odd_space(char: char) -> bool {
    matches!(
        char,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}'
    )
}

fn tag(before: Option<char>, care: Care) -> Treatment {
    let in_flag = before.is_some_and(|char| char == '\u{1f3f4}' || is_tag(char));
    if care == Care::Reading && in_flag {
        Treatment::Keep
    } else {
        Treatment::Spell
    }
}

fn invisible(char: char, before: Option<char>, after: Option<char>, care: Care) -> Treatment {
    if care == Care::Deciding {
        return Treatment::Spell;
    }
    let joins = |side: Option<char>| side.is_some_and(|char| !char.is_ascii() && !is_blank(char));
    match char {
        // Joiners belong to emoji and to Indic, Arabic and Persian words.
        '\u{200c}' | '\u{200d}' if joins(before) && joins(after) => Treatment::Keep,
        '\u{fe0e}' | '\u{fe0f}' if before.is_some_and(takes_selector) => Treatment::Keep,
        '\u{2800}' | '\u{1160}' | '\u{115f}' => Treatment::Keep,
        _ => Treatment::Leave,
    }
}

fn is_blank(char: char) -> bool {
    char.is_whitespace() || (is_invisible(char) && !matches!(char, '\u{fe0e}' | '\u{fe0f}'))
}

/// Emoji, and the digits and signs that key caps are made of.
fn takes_selector(char: char) -> bool {
    matches!(char, '0'..='9' | '#' | '*')
        || (u32::from(char) >= 0xa9 && !char.is_alphabetic() && !is_blank(char))
}

/// Writes a character the way it is written in Rust: `\u{202e}`.
fn spelled(char: char) -> String {
    let mut text = String::new();
    let _ = write!(text, "\\u{{{:x}}}", u32::from(char));
    text
}

/// The most code points that are drawn in one place; flags and families need about a dozen.
const MOST_IN_ONE_CELL: usize = 16;

#[derive(Default)]
struct Pieces {
    done: Vec<Piece>,
    open: String,
}

impl Pieces {
    fn text(&mut self, char: char) {
        self.open.push(char);
    }

    fn mark(&mut self, mark: &str) {
        self.close();
        match self.done.last_mut() {
            Some(Piece::Mark(last)) => last.push_str(mark),
            Some(Piece::Text(_)) | None => self.done.push(Piece::Mark(mark.to_owned())),
        }
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.done.push(Piece::Text(std::mem::take(&mut self.open)));
        }
    }

    /// Looks at the text pieces once more, now as characters on the screen: a mark without a base
    /// would vanish, and a tower of marks would cover its neighbours.
    fn done(mut self, care: Care) -> Vec<Piece> {
        self.close();
        let mut out = Self::default();
        for piece in self.done {
            match piece {
                Piece::Text(text) => out.graphemes(&text, care),
                Piece::Mark(mark) => out.mark(&mark),
            }
        }
        out.close();
        out.done
    }

    fn graphemes(&mut self, text: &str, care: Care) {
        for grapheme in text.graphemes(true) {
            if grapheme == "\t" || grapheme.is_ascii() {
                self.open.push_str(grapheme);
            } else if grapheme.cell_width() == 0 {
                self.baseless(grapheme, care);
            } else {
                self.tower(grapheme);
            }
        }
    }

    fn baseless(&mut self, grapheme: &str, care: Care) {
        if care == Care::Deciding {
            grapheme.chars().for_each(|char| self.mark(&spelled(char)));
        } else {
            let first: Vec<char> = grapheme.chars().take(MOST_IN_ONE_CELL).collect();
            self.open.push('\u{25cc}');
            self.open.extend(first);
        }
    }

    fn tower(&mut self, grapheme: &str) {
        for (place, char) in grapheme.chars().enumerate() {
            if place < MOST_IN_ONE_CELL {
                self.text(char);
            } else {
                self.mark(&spelled(char));
            }
        }
    }
}

#[cfg(test)]
mod tests;
