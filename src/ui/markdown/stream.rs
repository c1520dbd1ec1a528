//! Markdown that is still arriving: finished blocks are laid out once, only the open one again.

use pulldown_cmark::{Event, Parser};
use ratatui::text::Line;

use crate::ui::markdown::{Page, code, lay_out, options};

/// The lines of a text that grows.
#[derive(Debug)]
pub struct Stream {
    page: Page,
    lines: Vec<Line<'static>>,
    /// So many bytes of the source are laid out for good, in so many lines.
    done: usize,
    done_lines: usize,
    /// The source after `done` is inside a block of code.
    fence: Option<Fence>,
}

/// A block of code that has not been closed.
#[derive(Debug, Clone, Copy)]
struct Fence {
    sign: char,
    length: usize,
}

impl Stream {
    /// Begins with nothing.
    pub const fn new(page: Page) -> Self {
        Self {
            page,
            lines: Vec::new(),
            done: 0,
            done_lines: 0,
            fence: None,
        }
    }

    /// Brings the lines up to date with a source that has grown at its end.
    ///
    /// A source that is whole is better laid out once more by [`render`](super::render): an
    /// address that is given at its end belongs to words at its beginning.
    pub fn update(&mut self, source: &str) {
        if source.get(self.done..).is_none() {
            *self = Self::new(self.page);
        }
        self.lines.truncate(self.done_lines);
        while self.settle(source) {}
        self.draw_open(source);
    }

    /// Returns the lines.
    pub fn lines(&self) -> &[Line<'static>] {
        &self.lines
    }

    /// Returns how many of the lines, from the first, will not change any more.
    pub const fn finished(&self) -> usize {
        self.done_lines
    }

    /// Lays out for good what can't change any more. Returns whether there may be more of it.
    fn settle(&mut self, source: &str) -> bool {
        let open = source.get(self.done..).unwrap_or("");
        match self.fence {
            Some(fence) => self.settle_code(open, fence),
            None => self.settle_blocks(open),
        }
    }

    fn settle_blocks(&mut self, open: &str) -> bool {
        if let Some((fence, language, length)) = opening(open) {
            self.start_block();
            self.push_done(code::label(language, self.page), length);
            self.fence = Some(fence);
            return true;
        }
        // The last line may still become something else, so only whole lines count.
        let Some(end) = open.rfind('\n').map(|at| at + 1) else {
            return false;
        };
        let settled = last_block(open.get(..end).unwrap_or(""));
        let Some(blocks) = open.get(..settled).filter(|blocks| !blocks.is_empty()) else {
            return false;
        };
        let lines = lay_out(blocks, self.page, !self.lines.is_empty());
        self.push_done(lines, settled);
        true
    }

    fn settle_code(&mut self, open: &str, fence: Fence) -> bool {
        let Some(end) = open.find('\n') else {
            return false;
        };
        let line = open.get(..end).unwrap_or("");
        let line = line.strip_suffix('\r').unwrap_or(line);
        if fence.is_closed_by(line) {
            self.fence = None;
            self.push_done(Vec::new(), end + 1);
        } else {
            let lines = code::line(line, self.page);
            self.push_done(lines, end + 1);
        }
        true
    }

    fn draw_open(&mut self, source: &str) {
        let open = source.get(self.done..).unwrap_or("");
        let lines = match self.fence {
            None => lay_out(open, self.page, !self.lines.is_empty()),
            Some(fence) if open.is_empty() || fence.may_be_closed_by(open) => Vec::new(),
            Some(_) => code::line(open, self.page),
        };
        self.lines.extend(lines);
    }

    fn start_block(&mut self) {
        if !self.lines.is_empty() {
            self.push_done(vec![Line::default()], 0);
        }
    }

    fn push_done(&mut self, lines: Vec<Line<'static>>, bytes: usize) {
        self.lines.extend(lines);
        self.done += bytes;
        self.done_lines = self.lines.len();
    }
}

/// Returns where the last block of a text begins, at the start of its line.
fn last_block(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut start = 0;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    start = range.start;
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Rule if depth == 0 => start = range.start,
            Event::Rule
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::TaskListMarker(_) => {}
        }
    }
    text.get(..start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1)
}

/// Reads the opening line of a fenced block: the fence, its language, and the line's length.
fn opening(text: &str) -> Option<(Fence, &str, usize)> {
    let blank = text.len() - text.trim_start_matches('\n').len();
    let text = text.get(blank..)?;
    let end = text.find('\n')?;
    let line = text.get(..end)?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    // An indented fence takes its indent off each line, tabs in part: the parser does that.
    let sign = line
        .chars()
        .next()
        .filter(|sign| matches!(sign, '`' | '~'))?;
    let info = line.trim_start_matches(sign);
    let length = line.len() - info.len();
    if length < 3 || (sign == '`' && info.contains('`')) {
        return None;
    }
    // An info string with an escape or an entity in it is left to the parser.
    if info.contains(['\\', '&']) {
        return None;
    }
    let fence = Fence { sign, length };
    Some((fence, info.trim(), blank + end + 1))
}

impl Fence {
    fn is_closed_by(self, line: &str) -> bool {
        let body = line.trim_start_matches(' ');
        let rest = body.trim_start_matches(self.sign);
        line.len() - body.len() <= 3
            && body.len() - rest.len() >= self.length
            && rest.trim_matches([' ', '\t']).is_empty()
    }

    fn may_be_closed_by(self, line: &str) -> bool {
        line.trim_start_matches(' ')
            .trim_start_matches(self.sign)
            .is_empty()
    }
}
