//! The gate: the call that waits, all of it or an exact count of the rest, and the keys that decide.

mod body;
mod keys;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use crate::app::scene::{GateScene, ReasonLine, WaitingCall};
use crate::app::shown::ShownCall;
use crate::chat::moment::Millis;
use crate::keymap::bindings::Keymap;
use crate::ui::field;
use crate::ui::gate::body::Body;
use crate::ui::sanitize::{self, Care};
use crate::ui::text;
use crate::ui::theme::Theme;
use crate::ui::units;

pub use crate::ui::gate::body::GateCache;
pub(in crate::ui) use crate::ui::gate::body::claims;

/// What the gate is drawn with.
#[derive(Debug, Clone, Copy)]
pub struct GatePanel<'a> {
    /// What waits.
    pub gate: &'a GateScene<'a>,
    /// When the frame is drawn.
    pub now: Millis,
    /// How keys are written.
    pub keymap: &'a Keymap,
    /// Looks.
    pub theme: Theme,
}

/// How many of the other waiting calls are listed.
const OTHERS: usize = 4;

impl GatePanel<'_> {
    /// Returns the rows that the panel would fill.
    pub fn wanted(&self, width: u16, cache: &mut GateCache) -> u16 {
        let Some(call) = self.focused() else {
            return 0;
        };
        let body = cache.body(call, usize::from(width), self.theme).len();
        let rows = 2 + body + self.others(usize::from(width)).len() + self.reason_rows() + 1;
        u16::try_from(rows).unwrap_or(u16::MAX)
    }

    /// Returns the rows without which the panel makes no sense: name, one line of body, keys.
    pub fn least(&self) -> u16 {
        if self.gate.reason.is_some() { 4 } else { 3 }
    }

    /// Draws the panel; tells how much of the call could be seen, and where the cursor stands.
    pub fn draw(
        &self,
        area: Rect,
        cache: &mut GateCache,
        frame: &mut Frame<'_>,
    ) -> (Option<ShownCall>, Option<Position>) {
        let Some(call) = self.focused() else {
            return (None, None);
        };
        if area.is_empty() {
            let nothing = ShownCall {
                call: call.id.clone(),
                end_visible: false,
                max_scroll: 0,
                page_height: 0,
            };
            return (Some(nothing), None);
        }
        let width = usize::from(area.width);
        let lines = cache.body(call, width, self.theme);
        let plan = Plan::of(
            area.height,
            lines.len(),
            self.others(width).len(),
            self.reason_rows(),
        );
        let body = Body::window(lines, self.gate.scroll, plan.body);
        let mut rows: Vec<Line<'static>> = vec![Line::default(); plan.blank];
        if plan.name {
            rows.push(self.name_line(call, width));
        }
        rows.extend(body.visible.iter().cloned());
        if body.below > 0 && plan.body > 1 {
            rows.push(self.below_line(body.below, body.above, width));
        }
        rows.extend(self.others(width).into_iter().take(plan.others));
        let cursor = self.gate.reason.map(|reason| {
            let y = area.y + u16::try_from(rows.len()).unwrap_or(0);
            let (line, column) = self.reason_line(reason, width);
            rows.push(line);
            Position::new(area.x + column, y.min(area.bottom() - 1))
        });
        let unseen = if plan.body > 1 { 0 } else { body.below };
        rows.push(keys::line(self, unseen, width));
        draw_rows(rows, area, frame);
        let shown = ShownCall {
            call: call.id.clone(),
            end_visible: body.below == 0 && plan.body > 0 && plan.name,
            max_scroll: body.max_scroll,
            page_height: body.visible.len(),
        };
        (Some(shown), cursor)
    }

    fn focused(&self) -> Option<&WaitingCall<'_>> {
        self.gate
            .calls
            .get(self.gate.focus)
            .or_else(|| self.gate.calls.first())
    }

    fn reason_rows(&self) -> usize {
        usize::from(self.gate.reason.is_some())
    }

    /// `◆ files › delete_file   call 1 of 2 · waits 12 s`
    fn name_line(&self, call: &WaitingCall<'_>, width: usize) -> Line<'static> {
        let theme = self.theme;
        let mut spans = vec![Span::styled("◆ ", theme.attention())];
        spans.extend(body::name(call, theme));
        let waits = units::span(self.now.since(call.since));
        let about = match call.place {
            (_, 0 | 1) => format!("waits {waits}"),
            (place, count) => format!("call {place} of {count} · waits {waits}"),
        };
        let name = text::cut(Line::from(spans), width);
        let free = width.saturating_sub(text::line_width(&name));
        if text::width(&about) + 2 > free {
            return name;
        }
        let mut spans = name.spans;
        let gap = free - text::width(&about);
        spans.push(Span::raw(" ".repeat(gap)));
        spans.push(Span::styled(about, theme.dim()));
        Line::from(spans)
    }

    fn below_line(&self, below: usize, above: usize, width: usize) -> Line<'static> {
        let page_down = keys::page_down(self.keymap);
        let noun = if below == 1 { "line" } else { "lines" };
        let above = match above {
            0 => String::new(),
            above => format!(" ({above} above)"),
        };
        let said = [
            format!("  … {below} more {noun} below, {page_down}{above}"),
            format!("  … {below} more {noun} below, {page_down}"),
            format!("… {below} more, {page_down}"),
        ];
        let fitting = said.iter().find(|said| text::width(said) <= width);
        let said = fitting.or(said.last()).cloned().unwrap_or_default();
        Line::styled(said, self.theme.attention())
    }

    /// One line for each other call that waits.
    fn others(&self, width: usize) -> Vec<Line<'static>> {
        let others: Vec<&WaitingCall<'_>> = (self.gate.calls.iter().enumerate())
            .filter(|(at, _)| *at != self.gate.focus)
            .map(|(_, call)| call)
            .collect();
        let mut lines: Vec<Line<'static>> = others
            .iter()
            .take(OTHERS)
            .map(|call| self.other(call, width))
            .collect();
        if others.len() > OTHERS {
            let rest = others.len() - OTHERS;
            lines.push(Line::styled(
                format!("  and {rest} more calls"),
                self.theme.dim(),
            ));
        }
        lines
    }

    fn other(&self, call: &WaitingCall<'_>, width: usize) -> Line<'static> {
        let theme = self.theme;
        let mut spans = vec![Span::styled(
            format!("  also {}: ", call.place.0),
            theme.dim(),
        )];
        spans.extend(body::name(call, theme));
        let arguments: String = call
            .arguments
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let shown: String = arguments.chars().take(width).collect();
        let shown = sanitize::plain(&shown, Care::Deciding);
        spans.push(Span::styled(format!("  {shown}"), theme.dim()));
        text::cut(Line::from(spans), width)
    }

    fn reason_line(&self, reason: ReasonLine<'_>, width: usize) -> (Line<'static>, u16) {
        const LABEL: &str = "  reason: ";
        let label = if width > 2 * LABEL.len() { LABEL } else { "" };
        let room = width.saturating_sub(label.len());
        let (line, column) = field::draw(reason.text, reason.cursor, room, self.theme);
        let mut spans = vec![Span::styled(label, self.theme.dim())];
        spans.extend(line.spans);
        let column = u16::try_from(label.len() + column).unwrap_or(0);
        (Line::from(spans), column)
    }
}

/// How the rows of the panel are shared out.
struct Plan {
    blank: usize,
    name: bool,
    body: usize,
    others: usize,
}

impl Plan {
    /// Keys come first, then the reason, the name, the body; the rest is shared from the end.
    fn of(height: u16, body: usize, others: usize, reason: usize) -> Self {
        let mut left = usize::from(height).saturating_sub(1 + reason);
        let name = left > 0;
        left -= usize::from(name);
        let blank = usize::from(left > body + others && left > 3);
        left -= blank;
        // The others are worth a row each only while the body keeps the larger half.
        let others = others.min(left.saturating_sub(body).max(left / 4));
        Self {
            blank,
            name,
            body: left - others,
            others,
        }
    }
}

/// Draws rows from the bottom of an area up, so that the key line is never lost.
fn draw_rows(rows: Vec<Line<'static>>, area: Rect, frame: &mut Frame<'_>) {
    let skip = rows.len().saturating_sub(usize::from(area.height));
    for (y, row) in (area.y..area.bottom()).zip(rows.into_iter().skip(skip)) {
        frame.buffer_mut().set_line(area.x, y, &row, area.width);
    }
}
