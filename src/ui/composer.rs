//! The composer: the draft with soft wraps, and where the cursor stands.

mod rows;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::app::composer::Composer;
use crate::ui::composer::rows::Row;
use crate::ui::sanitize::Care;
use crate::ui::text;
use crate::ui::theme::Theme;

/// What stands before the first line.
const MARK: &str = "› ";

/// The draft laid out for a width.
#[derive(Debug)]
pub struct Draft<'a> {
    composer: &'a Composer,
    rows: Vec<Row<'a>>,
    /// The row and the column of the cursor.
    cursor: (usize, usize),
    mark: usize,
}

impl<'a> Draft<'a> {
    /// Lays the draft out. One column stays free at the right for the cursor.
    pub fn new(composer: &'a Composer, width: u16) -> Self {
        let mark = if width >= 8 { MARK.chars().count() } else { 0 };
        let room = usize::from(width).saturating_sub(mark + 1).max(1);
        tell_width(composer, room);
        let rows = rows::rows(composer.lines(), room);
        let cursor = rows::find_cursor(&rows, composer.cursor());
        Self {
            composer,
            rows,
            cursor,
            mark,
        }
    }

    /// Returns how many rows the draft fills.
    pub fn height(&self) -> u16 {
        u16::try_from(self.rows.len()).unwrap_or(u16::MAX)
    }

    /// Draws as much as fits around the cursor. Returns where the cursor stands.
    pub fn draw(&self, hint: &str, theme: Theme, area: Rect, frame: &mut Frame<'_>) -> Position {
        let height = usize::from(area.height);
        let last_top = self.rows.len().saturating_sub(height);
        let top = self.cursor.0.saturating_sub(height / 2).min(last_top);
        for (place, y) in (area.y..area.bottom()).enumerate() {
            let line = self.line(top + place, hint, theme);
            frame.buffer_mut().set_line(area.x, y, &line, area.width);
        }
        let column = u16::try_from(self.mark + self.cursor.1).unwrap_or(u16::MAX);
        let row = u16::try_from(self.cursor.0 - top).unwrap_or(u16::MAX);
        Position::new(
            area.x
                .saturating_add(column)
                .min(area.right().saturating_sub(1)),
            area.y
                .saturating_add(row)
                .min(area.bottom().saturating_sub(1)),
        )
    }

    fn line(&self, at: usize, hint: &str, theme: Theme) -> Line<'static> {
        let mut spans = Vec::new();
        if self.mark > 0 {
            let mark = if at == 0 { MARK } else { "  " };
            spans.push(Span::styled(mark, theme.accent()));
        }
        if self.composer.is_empty() && at == 0 {
            spans.push(Span::styled(hint.to_owned(), theme.dim()));
        } else if let Some(row) = self.rows.get(at) {
            let row = text::styled(row.text, theme.text(), Care::Reading, theme);
            spans.extend(text::with_tabs(row));
        }
        Line::from(spans)
    }
}

/// Tells the editor how wide it is drawn: going up and down follows soft wraps, and only drawing
/// it says how wide it is. What it draws is not used.
fn tell_width(composer: &Composer, room: usize) {
    let width = u16::try_from(room).unwrap_or(u16::MAX);
    let area = Rect::new(0, 0, width, 1);
    composer.area().render(area, &mut Buffer::empty(area));
}
