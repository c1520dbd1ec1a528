//! Where the reader is in the conversation.

use crate::app::shown::Shown;
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
/// reports where it led ([`Shown`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scroll {
    /// The place of the last frame.
    pub anchor: Anchor,
    /// What was asked for since.
    pub wish: Wish,
    /// What the anchor's line was counted in, so that another width finds the place again.
    pub measure: Measure,
    /// The last line there was when the reader left the end: what is below it is new.
    pub read_to: Option<Place>,
}

/// A line of an item, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Place {
    /// The item.
    pub item: ItemId,
    /// Which of its lines.
    pub line: usize,
}

/// How large the anchor's item was when its line was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measure {
    /// The pane's width in columns.
    pub width: u16,
    /// The item's height in lines.
    pub height: usize,
}

impl Scroll {
    /// Adds to the wish: pages and lines add up, a jump replaces what was wished before.
    pub fn wish_for(&mut self, wish: Wish) {
        self.wish = match (self.wish, wish) {
            (
                Wish::By { pages, lines },
                Wish::By {
                    pages: more_pages,
                    lines: more_lines,
                },
            ) => Wish::By {
                pages: pages.saturating_add(more_pages),
                lines: lines.saturating_add(more_lines),
            },
            (Wish::Start | Wish::End, Wish::By { .. }) => self.wish,
            (_, Wish::Start | Wish::End) => wish,
        };
    }

    /// Takes in where a frame led. A report on an older wish is no use and changes nothing.
    pub fn settle(&mut self, shown: &Shown) {
        if shown.scrolled_from != *self {
            return;
        }
        self.read_to = match (self.anchor, shown.anchor) {
            (_, Anchor::Follow) => None,
            (Anchor::Follow, Anchor::At { .. }) => shown.end,
            (Anchor::At { .. }, Anchor::At { .. }) => self.read_to,
        };
        self.anchor = shown.anchor;
        self.measure = shown.measure;
        self.wish = Wish::default();
    }
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
