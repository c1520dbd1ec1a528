//! What stands before the lines of nested blocks: bars of quotes, marks and indents of lists.

use ratatui::text::Span;

use crate::ui::text;
use crate::ui::theme::Theme;

/// Something that blocks are inside of.
#[derive(Debug)]
pub(super) enum Container {
    /// A quote: a bar before each line.
    Quote,
    /// An item of a list: its mark before the first line, as much space before the others.
    Item {
        /// The mark with the space after it.
        mark: String,
        /// The mark has been drawn.
        used: bool,
    },
}

/// The blocks around the one that is being laid out, outermost first.
#[derive(Debug, Default)]
pub(super) struct Prefix(pub(super) Vec<Container>);

impl Prefix {
    /// Returns what stands before the next line and marks it as drawn.
    ///
    /// It takes at most half of the width: what is nested too deep for that is not indented.
    pub(super) fn take(&mut self, width: usize, theme: Theme) -> Vec<Span<'static>> {
        let mut left = width / 2;
        let mut spans = Vec::new();
        for container in &mut self.0 {
            let span = match container {
                Container::Quote => Span::styled("▎ ", theme.dim()),
                Container::Item { mark, used: true } => Span::raw(" ".repeat(text::width(mark))),
                Container::Item { mark, used } => {
                    *used = true;
                    Span::styled(mark.clone(), theme.dim())
                }
            };
            match left.checked_sub(text::width(&span.content)) {
                Some(rest) => left = rest,
                None => continue,
            }
            spans.push(span);
        }
        spans
    }

    /// Returns how many columns are left beside the prefix.
    pub(super) fn room(&self, width: usize) -> usize {
        let mut left = width / 2;
        for container in &self.0 {
            left = left.checked_sub(container.width()).unwrap_or(left);
        }
        (width - width / 2 + left).max(1)
    }

    /// Returns what stands before an empty line: bars only.
    pub(super) fn of_gap(&self, width: usize, theme: Theme) -> Vec<Span<'static>> {
        let mut left = width / 2;
        let mut spans = Vec::new();
        for container in &self.0 {
            let Some(rest) = left.checked_sub(container.width()) else {
                continue;
            };
            left = rest;
            spans.push(match container {
                Container::Quote => Span::styled("▎ ", theme.dim()),
                Container::Item { mark, .. } => Span::raw(" ".repeat(text::width(mark))),
            });
        }
        while spans
            .last()
            .is_some_and(|span| span.content.trim().is_empty())
        {
            spans.pop();
        }
        spans
    }

    /// Tells whether the innermost block is an item whose mark has not been drawn.
    pub(super) fn at_mark(&self) -> bool {
        matches!(self.0.last(), Some(Container::Item { used: false, .. }))
    }

    /// Tells whether the innermost block is an item.
    pub(super) fn in_item(&self) -> bool {
        matches!(self.0.last(), Some(Container::Item { .. }))
    }
}

impl Container {
    fn width(&self) -> usize {
        match self {
            Self::Quote => 2,
            Self::Item { mark, .. } => text::width(mark),
        }
    }
}
