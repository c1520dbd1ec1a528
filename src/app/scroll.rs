//! Where the reader is in the conversation.

use crate::app::timeline::ItemId;

/// The place that the pane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Anchor {
    /// The newest text, always.
    #[default]
    Follow,
    /// A place that stays put while text arrives below.
    At {
        /// The item whose line is at the top of the pane.
        item: ItemId,
        /// Which of its lines, from 0, at the width of the last frame.
        line: usize,
    },
}

/// Where the reader is, and where the reader wants to go.
///
/// Only the view knows how tall things are, so a wish waits here until the next frame; the frame
/// reports where it led ([`Shown`](crate::app::shown::Shown)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scroll {
    /// The place of the last frame.
    pub anchor: Anchor,
    /// What was asked for since.
    pub wish: Wish,
}

/// Where the reader wants to go, seen from the last frame's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// So many pages (one line less than the pane's height) and so many lines; negative is up.
    By {
        /// Pages.
        pages: i32,
        /// Lines.
        lines: i32,
    },
    /// To the very beginning.
    Start,
    /// To the end, following.
    End,
}

impl Default for Wish {
    fn default() -> Self {
        Self::By { pages: 0, lines: 0 }
    }
}
