//! Tables that fit: cells are wrapped, and a table of too many columns becomes a list of records.

use pulldown_cmark::Alignment;
use ratatui::text::{Line, Span};

use crate::ui::markdown::Page;
use crate::ui::text::{self, Wrap};

/// A cell: styled pieces, not wrapped yet.
pub(super) type Cell = Vec<Span<'static>>;

/// A table while it is being read.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// How the columns are aligned.
    pub(super) alignments: Vec<Alignment>,
    /// The header first.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// Columns between columns.
const GAP: usize = 2;
/// A column narrower than this can't be read.
const LEAST: usize = 3;

impl Table {
    /// Begins a row.
    pub(super) fn start_row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Adds a cell to the row.
    pub(super) fn push(&mut self, cell: Cell) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// Lays the table out.
    pub(super) fn render(&self, page: Page) -> Vec<Line<'static>> {
        let columns = self.alignments.len();
        if columns == 0 {
            return Vec::new();
        }
        match widths(&self.natural(), page.width) {
            Some(widths) => self.as_grid(&widths, page),
            None => self.as_records(page),
        }
    }

    fn natural(&self) -> Vec<usize> {
        (0..self.alignments.len())
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| cell_width(cell)).max().unwrap_or(0).max(1)
            })
            .collect()
    }

    fn as_grid(&self, widths: &[usize], page: Page) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for (place, row) in self.rows.iter().enumerate() {
            lines.extend(self.grid_row(row, widths));
            if place == 0 {
                lines.push(rule(widths, page));
            }
        }
        lines
    }

    fn grid_row(&self, row: &[Cell], widths: &[usize]) -> Vec<Line<'static>> {
        let wrapped: Vec<Vec<Line<'static>>> = widths
            .iter()
            .enumerate()
            .map(|(column, width)| {
                let cell = row.get(column).map_or(&[][..], Vec::as_slice);
                text::wrap(cell, Wrap::words(*width))
            })
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        (0..height)
            .map(|at| self.grid_line(&wrapped, at, widths))
            .collect()
    }

    fn grid_line(
        &self,
        wrapped: &[Vec<Line<'static>>],
        at: usize,
        widths: &[usize],
    ) -> Line<'static> {
        let mut spans: Vec<Span<'static>> = Vec::new();
        let mut owed = 0;
        for ((column, width), alignment) in wrapped.iter().zip(widths).zip(&self.alignments) {
            let line = column.get(at).cloned().unwrap_or_default();
            let free = width.saturating_sub(text::line_width(&line));
            let before = match alignment {
                Alignment::None | Alignment::Left => 0,
                Alignment::Center => free / 2,
                Alignment::Right => free,
            };
            owed += before;
            if !line.spans.is_empty() && owed > 0 {
                spans.push(Span::raw(" ".repeat(owed)));
                owed = 0;
            }
            spans.extend(line.spans);
            owed += free - before + GAP;
        }
        Line::from(spans)
    }

    /// One line for each cell that holds something: `heading: value`.
    fn as_records(&self, page: Page) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let header = self.rows.first().map_or(&[][..], Vec::as_slice);
        for row in self.rows.iter().skip(1) {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            for (column, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let mut spans = header.get(column).cloned().unwrap_or_default();
                spans.push(Span::styled(": ", page.theme.dim()));
                spans.extend(cell.iter().cloned());
                lines.extend(text::wrap(&spans, Wrap::words(page.width)));
            }
        }
        if lines.is_empty() {
            for cell in header {
                lines.extend(text::wrap(cell, Wrap::words(page.width)));
            }
        }
        lines
    }
}

fn rule(widths: &[usize], page: Page) -> Line<'static> {
    let bars: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
    Line::styled(bars.join(&" ".repeat(GAP)), page.theme.dim())
}

fn cell_width(cell: &[Span<'static>]) -> usize {
    cell.iter().map(|span| text::width(&span.content)).sum()
}

/// Shares a width among columns: narrow ones keep what they need, the others share the rest.
/// `None` when a column would get too little to be read.
fn widths(natural: &[usize], width: usize) -> Option<Vec<usize>> {
    let room = width.checked_sub(GAP * natural.len().saturating_sub(1))?;
    if natural.iter().sum::<usize>() <= room {
        return Some(natural.to_vec());
    }
    let mut shares: Vec<Option<usize>> = vec![None; natural.len()];
    loop {
        let open = shares.iter().filter(|share| share.is_none()).count();
        let left = room.checked_sub(shares.iter().flatten().sum::<usize>())?;
        if open == 0 {
            break;
        }
        let fair = left / open;
        let fitting: Vec<usize> = (0..natural.len())
            .filter(|at| shares.get(*at) == Some(&None))
            .filter(|at| natural.get(*at).is_some_and(|width| *width <= fair))
            .collect();
        if fitting.is_empty() {
            return hand_out(&shares, left, open);
        }
        for at in fitting {
            if let (Some(share), Some(width)) = (shares.get_mut(at), natural.get(at)) {
                *share = Some(*width);
            }
        }
    }
    Some(shares.into_iter().flatten().collect())
}

fn hand_out(shares: &[Option<usize>], left: usize, open: usize) -> Option<Vec<usize>> {
    let fair = left / open;
    if fair < LEAST {
        return None;
    }
    let mut over = left % open;
    let filled = shares.iter().map(|share| {
        share.unwrap_or_else(|| {
            let extra = usize::from(over > 0);
            over -= extra;
            fair + extra
        })
    });
    Some(filled.collect())
}
