//! Terminals disagree on how wide some characters are; what stands after one is written again.

use ratatui::buffer::{Buffer, CellDiffOption};

/// Marks everything to the right of a doubtful character to be written with every frame.
///
/// A terminal that draws an emoji sequence wider than we count covers the cells after it. Frames
/// only write the cells that have changed, so what was covered would stay covered.
pub(super) fn rewrite_after_wide(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks_mut(width) {
        let doubtful = row.iter().position(|cell| is_doubtful(cell.symbol()));
        for cell in row.iter_mut().skip(doubtful.map_or(width, |at| at + 1)) {
            cell.set_diff_option(CellDiffOption::AlwaysUpdate);
        }
    }
}

/// Sequences of several code points, and everything beyond the plane of common scripts.
fn is_doubtful(symbol: &str) -> bool {
    symbol.len() > 3 || symbol.chars().nth(1).is_some()
}
