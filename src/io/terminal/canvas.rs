//! What ratatui draws on: bytes that leave in one piece, as one synchronized frame.

use std::fmt;
use std::io;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::terminal::{Clear, ClearType as Cleared};
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

/// Begins a frame that the terminal shows only when it is whole; terminals that can't do that
/// ignore it. The cursor would run about while cells are written, so it is hidden.
const BEGIN: &[u8] = b"\x1b[?2026h\x1b[?25l";
/// Ends it.
const END: &[u8] = b"\x1b[?2026l";

/// Collects what a frame writes. Nothing here touches the terminal.
pub struct Canvas {
    bytes: Vec<u8>,
    cursor: Position,
    measure: Box<dyn Fn() -> (u16, u16) + Send>,
}

impl Canvas {
    /// Makes an empty canvas; `measure` returns the size in cells.
    pub fn new(measure: Box<dyn Fn() -> (u16, u16) + Send>) -> Self {
        Self {
            bytes: Vec::new(),
            cursor: Position::ORIGIN,
            measure,
        }
    }

    /// Begins a frame. What was queued before (a clear) becomes its first part.
    pub fn begin_frame(&mut self) {
        let before = std::mem::replace(&mut self.bytes, BEGIN.to_vec());
        self.bytes.extend(before);
    }

    /// Ends the frame and returns its bytes.
    pub fn end_frame(&mut self) -> Vec<u8> {
        self.bytes.extend_from_slice(END);
        std::mem::take(&mut self.bytes)
    }
}

impl fmt::Debug for Canvas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canvas")
            .field("bytes", &self.bytes.len())
            .field("cursor", &self.cursor)
            .finish_non_exhaustive()
    }
}

impl Backend for Canvas {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        CrosstermBackend::new(&mut self.bytes).draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        queue!(self.bytes, Hide)
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        queue!(self.bytes, Show)
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        // Asking the terminal would swallow keys that were typed ahead.
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        queue!(self.bytes, MoveTo(self.cursor.x, self.cursor.y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        let what = match clear_type {
            ClearType::All => Cleared::All,
            ClearType::AfterCursor => Cleared::FromCursorDown,
            ClearType::BeforeCursor => Cleared::FromCursorUp,
            ClearType::CurrentLine => Cleared::CurrentLine,
            ClearType::UntilNewLine => Cleared::UntilNewLine,
        };
        queue!(self.bytes, Clear(what))
    }

    fn size(&self) -> io::Result<Size> {
        let (width, height) = (self.measure)();
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize {
            columns_rows: self.size()?,
            pixels: Size::ZERO,
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use ratatui::Terminal;
    use ratatui::widgets::Paragraph;

    use super::Canvas;

    type Sized = (Terminal<Canvas>, Arc<AtomicU32>);

    fn sized() -> Sized {
        let size = Arc::new(AtomicU32::new(0));
        let told = Arc::clone(&size);
        let measure = move || {
            let packed = told.load(Ordering::Relaxed);
            let (width, height) = (packed >> 16, packed & 0xffff);
            (
                u16::try_from(width).unwrap(),
                u16::try_from(height).unwrap(),
            )
        };
        size.store((80 << 16) + 24, Ordering::Relaxed);
        (Terminal::new(Canvas::new(Box::new(measure))).unwrap(), size)
    }

    fn frame(terminal: &mut Terminal<Canvas>, text: &str) -> Vec<u8> {
        terminal.backend_mut().begin_frame();
        terminal
            .draw(|frame| {
                frame.render_widget(Paragraph::new(text), frame.area());
                frame.set_cursor_position((3, 0));
            })
            .unwrap();
        terminal.backend_mut().end_frame()
    }

    #[test]
    fn a_frame_is_one_synchronized_piece_that_ends_with_the_cursor_in_its_place() {
        let (mut terminal, _) = sized();
        let bytes = frame(&mut terminal, "tide");
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("\x1b[?2026h\x1b[?25l"), "{text:?}");
        assert!(text.contains("tide"));
        assert!(text.ends_with("\x1b[?25h\x1b[1;4H\x1b[?2026l"), "{text:?}");
    }

    #[test]
    fn no_size_makes_a_frame_fail() {
        let (mut terminal, size) = sized();
        for (width, height) in [
            (1, 1),
            (2, 1),
            (1, 2),
            (5, 3),
            (300, 2),
            (2, 100),
            (700, 200),
        ] {
            size.store((width << 16) + height, Ordering::Relaxed);
            assert!(!frame(&mut terminal, "tide and tide").is_empty());
        }
        size.store((80 << 16) + 24, Ordering::Relaxed);
        let (rows, columns) = (24.try_into().unwrap(), 80.try_into().unwrap());
        let mut screen = vt100::Parser::new(rows, columns, 0);
        screen.process(&frame(&mut terminal, "back again"));
        assert_eq!(screen.screen().contents(), "back again");
    }

    #[test]
    fn nothing_but_changed_cells_is_written_again() {
        let (mut terminal, _) = sized();
        frame(&mut terminal, "the tide comes in");
        let again = String::from_utf8(frame(&mut terminal, "the tide comes IN")).unwrap();
        assert!(again.contains("IN"), "{again:?}");
        assert!(!again.contains("tide"), "{again:?}");
    }
}
