//! How big the terminal is.

use rustix::stdio::stdout;
use rustix::termios::tcgetwinsize;

/// Returns the size now, in cells.
pub(super) fn now() -> (u16, u16) {
    let told = tcgetwinsize(stdout()).map_or((0, 0), |size| (size.ws_col, size.ws_row));
    usable(told)
}

/// Makes a size that can be drawn on: terminals that don't know their size say 0×0, and one that
/// is being dragged may have no width or no height for a moment.
pub(super) fn usable((width, height): (u16, u16)) -> (u16, u16) {
    if (width, height) == (0, 0) {
        return (80, 24);
    }
    (width.max(1), height.max(1))
}

#[cfg(test)]
mod tests {
    use super::usable;

    #[test]
    fn no_size_is_too_odd_to_draw_on() {
        assert_eq!(usable((0, 0)), (80, 24));
        assert_eq!(usable((0, 9)), (1, 9));
        assert_eq!(usable((9, 0)), (9, 1));
        assert_eq!(usable((1, 1)), (1, 1));
        assert_eq!(usable((700, 200)), (700, 200));
    }
}
