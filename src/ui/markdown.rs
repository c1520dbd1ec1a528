//! Markdown as lines of a given width.
//!
//! Everything a model writes is drawn: what is not understood stays as the text it is.

mod blocks;
mod code;
mod inline;
mod prefix;
pub mod stream;
mod table;

use pulldown_cmark::{Options, Parser};
use ratatui::text::Line;

use crate::ui::markdown::blocks::Writer;
use crate::ui::theme::Theme;

/// How markdown is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Columns that a line may take.
    pub width: usize,
    /// Looks.
    pub theme: Theme,
}

/// Lays out a whole text.
pub fn render(source: &str, page: Page) -> Vec<Line<'static>> {
    lay_out(source, page, false)
}

/// Lays out a text; `follows` tells that other blocks stand above it.
fn lay_out(source: &str, page: Page, follows: bool) -> Vec<Line<'static>> {
    let mut writer = Writer::new(page, follows);
    for event in Parser::new_ext(source, options()) {
        writer.take(event);
    }
    writer.finish()
}

const fn options() -> Options {
    Options::ENABLE_TABLES
        .union(Options::ENABLE_STRIKETHROUGH)
        .union(Options::ENABLE_TASKLISTS)
        .union(Options::ENABLE_FOOTNOTES)
}

#[cfg(test)]
mod tests;
