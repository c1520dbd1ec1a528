//! Where the person writes: the draft, its editing keys and the messages written before.

mod keys;
mod recall;

use tui_textarea::{CursorMove, DataCursor, TextArea, WrapMode};

use crate::app::composer::recall::Recall;
use crate::keymap::key::Key;

/// The draft and what was written before it.
#[derive(Debug)]
pub struct Composer {
    area: TextArea<'static>,
    recall: Recall,
}

impl Default for Composer {
    fn default() -> Self {
        Self {
            area: area_of(Vec::new()),
            recall: Recall::default(),
        }
    }
}

impl Composer {
    /// Takes an editing key. Returns whether it meant something here; Enter alone never does.
    pub fn input(&mut self, key: Key) -> bool {
        keys::apply(key, &mut self.area)
    }

    /// Inserts text as it is, line ends made `\n`: nothing in it is a key.
    pub fn insert(&mut self, text: &str) {
        self.area.insert_str(with_plain_line_ends(text));
    }

    /// Begins a new line.
    pub fn new_line(&mut self) {
        self.area.insert_newline();
    }

    /// Returns the draft, lines joined by `\n`.
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Tells whether there is no draft at all.
    pub fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Tells whether the draft holds nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.area.lines().iter().all(|line| line.trim().is_empty())
    }

    /// Returns the draft, remembers it as written and begins an empty one.
    pub fn take(&mut self) -> String {
        let text = self.text();
        self.recall.remember(&text);
        self.replace(Vec::new());
        text
    }

    /// Puts a text in the place of the draft, the cursor at its end. Can be undone.
    pub fn set_text(&mut self, text: &str) {
        self.area.select_all();
        self.area.insert_str(with_plain_line_ends(text));
        self.area.cancel_selection();
    }

    /// Takes back the last change. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.area.undo()
    }

    /// Makes the change again that was taken back last. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        self.area.redo()
    }

    /// Fills in what was written before this session, oldest first.
    pub fn remember_all(&mut self, texts: impl IntoIterator<Item = String>) {
        for text in texts {
            self.recall.remember(&text);
        }
    }

    /// Shows the message written before the one shown. Returns whether there was one.
    ///
    /// The draft is kept and comes back after the newest message.
    pub fn history_back(&mut self) -> bool {
        let draft = self.text();
        match self.recall.back(draft) {
            Some(text) => self.show(&text),
            None => false,
        }
    }

    /// Shows the message written after the one shown, at last the draft. Returns whether there
    /// was one.
    pub fn history_forward(&mut self) -> bool {
        match self.recall.forward() {
            Some(text) => self.show(&text),
            None => false,
        }
    }

    /// Tells whether the cursor can't go further up, soft-wrapped lines counted as drawn last.
    pub fn at_first_line(&self) -> bool {
        self.area.screen_cursor().row == 0
    }

    /// Tells whether the cursor can't go further down, soft-wrapped lines counted as drawn last.
    pub fn at_last_line(&self) -> bool {
        let row = self.area.screen_cursor().row;
        // A row past the end is answered with the last one.
        self.area.screen_to_data(row + 1, 0) == self.area.screen_to_data(row, 0)
    }

    /// Returns the lines of the draft; there is at least one.
    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    /// Returns where the cursor is: the line, and how many characters of it are before the cursor.
    pub fn cursor(&self) -> (usize, usize) {
        let DataCursor(line, column) = self.area.cursor();
        (line, column)
    }

    /// Returns the editor itself, for the view to tell it how wide it is drawn.
    pub fn area(&self) -> &TextArea<'static> {
        &self.area
    }

    fn show(&mut self, text: &str) -> bool {
        self.replace(text.split('\n').map(str::to_owned).collect());
        self.area.move_cursor(CursorMove::Bottom);
        self.area.move_cursor(CursorMove::End);
        true
    }

    fn replace(&mut self, lines: Vec<String>) {
        let yanked = self.area.yank_text();
        self.area = area_of(lines);
        self.area.set_yank_text(yanked);
    }
}

fn area_of(lines: Vec<String>) -> TextArea<'static> {
    let mut area = TextArea::new(lines);
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.set_hard_tab_indent(true);
    area.set_max_histories(500);
    area
}

fn with_plain_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests;
