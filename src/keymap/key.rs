//! One key as it was pressed, free of any terminal library.

/// A key, what was held with it, and whether it went down, repeats or came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// What was held with it. Shift is not told for characters: the character says it.
    pub mods: Mods,
    /// Down, repeating or up.
    pub motion: KeyMotion,
}

impl Key {
    /// Makes a fresh press of a plain character.
    pub const fn char(char: char) -> Self {
        Self::press(KeyCode::Char(char))
    }

    /// Makes a fresh press of a key.
    pub const fn press(code: KeyCode) -> Self {
        Self {
            code,
            mods: Mods::NONE,
            motion: KeyMotion::Press,
        }
    }

    /// Makes a fresh press of Ctrl and a character.
    pub const fn ctrl(char: char) -> Self {
        Self {
            code: KeyCode::Char(char),
            mods: Mods::CTRL,
            motion: KeyMotion::Press,
        }
    }

    /// Makes a fresh press of Alt and a key.
    pub const fn alt(code: KeyCode) -> Self {
        Self {
            code,
            mods: Mods::ALT,
            motion: KeyMotion::Press,
        }
    }
}

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyCode {
    /// A character, as it would be typed.
    Char(char),
    /// Enter or Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Cursor up.
    Up,
    /// Cursor down.
    Down,
    /// Cursor left.
    Left,
    /// Cursor right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, from 1.
    F(u8),
    /// A key that means nothing here.
    Other,
}

/// What was held with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mods {
    /// Control.
    pub ctrl: bool,
    /// Alt, Option or Meta.
    pub alt: bool,
    /// Shift, told only for keys that are not characters.
    pub shift: bool,
}

impl Mods {
    /// Nothing held.
    pub const NONE: Self = Self {
        ctrl: false,
        alt: false,
        shift: false,
    };
    /// Control alone.
    pub const CTRL: Self = Self {
        ctrl: true,
        alt: false,
        shift: false,
    };
    /// Alt alone.
    pub const ALT: Self = Self {
        ctrl: false,
        alt: true,
        shift: false,
    };
    /// Shift alone.
    pub const SHIFT: Self = Self {
        ctrl: false,
        alt: false,
        shift: true,
    };
}

/// Whether a key went down, repeats or came up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyMotion {
    /// It went down; where the terminal can't tell, it may be a repeat.
    Press,
    /// It is held down (told by the enhanced keyboard protocol only).
    Repeat,
    /// It came up (told by the enhanced keyboard protocol only).
    Release,
}
