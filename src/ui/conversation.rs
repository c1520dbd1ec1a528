//! The conversation pane: a list that costs what is visible, not what was said.

mod slots;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::scene::Scene;
use crate::app::scroll::{Anchor, Measure, Place, Scroll, Wish};
use crate::app::timeline::{Item, ItemId};
use crate::chat::moment::Millis;
use crate::ui::conversation::slots::Slots;
use crate::ui::text;
use crate::ui::theme::Theme;

/// What items are laid out with; another value means laying them out again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Columns.
    pub width: u16,
    /// Looks.
    pub theme: Theme,
    /// Details are shown in full.
    pub unfolded: bool,
}

/// The items that are laid out.
#[derive(Debug, Default)]
pub struct ConversationCache {
    slots: Slots,
}

/// Where the pane is after a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// Where it is.
    pub anchor: Anchor,
    /// What the anchor's line is counted in.
    pub measure: Measure,
    /// The last line there is.
    pub end: Option<Place>,
    /// Lines below the pane.
    pub lines_below: usize,
    /// The pane's height in lines.
    pub page_height: u16,
}

/// A line in the list: the item's place and the line within it.
type Spot = (usize, usize);

/// Draws the pane.
pub fn draw(
    scene: &Scene<'_>,
    cache: &mut ConversationCache,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) -> Settled {
    let setting = Setting {
        width: area.width,
        theme,
        unfolded: scene.unfolded,
    };
    let mut pane = Pane {
        items: scene.items,
        now: scene.now.mono,
        height: usize::from(area.height),
        slots: &mut cache.slots,
    };
    pane.slots.sync(scene.items, setting, scene.now.mono);
    let (top, follows) = pane.resolve(scene.scroll, area.width);
    let end = pane.draw_lines(top, area, frame);
    let settled = pane.settled(top, end, follows, area.width);
    if !follows {
        let new = scene
            .scroll
            .read_to
            .map_or(0, |read_to| pane.lines_after(read_to));
        draw_pill(new, settled.lines_below, theme, area, frame);
    }
    settled
}

struct Pane<'a> {
    items: &'a [Item],
    now: Millis,
    height: usize,
    slots: &'a mut Slots,
}

impl Pane<'_> {
    /// Returns the line at the top of the pane, and whether the pane follows the newest text.
    fn resolve(&mut self, scroll: Scroll, width: u16) -> (Spot, bool) {
        let end = self.top_at_end();
        let start = match scroll.anchor {
            Anchor::Follow => None,
            Anchor::At { item, line } => self.find(item, line, scroll.measure, width),
        };
        match scroll.wish {
            Wish::Start if end == (0, 0) => (end, true),
            Wish::Start => ((0, 0), false),
            Wish::End => (end, true),
            Wish::By { pages, lines } => {
                let page = i64::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(1);
                let delta = i64::from(pages) * page + i64::from(lines);
                self.step(start, end, delta)
            }
        }
    }

    fn step(&mut self, start: Option<Spot>, end: Spot, delta: i64) -> (Spot, bool) {
        let distance = usize::try_from(delta.unsigned_abs()).unwrap_or(usize::MAX);
        let top = match (start, delta) {
            (None, 0..) => return (end, true),
            (None, _) => self.up(end, distance),
            (Some(start), 0..) => self.down(start, distance, end),
            (Some(start), _) => self.up(start, distance),
        };
        (top.min(end), top >= end)
    }

    fn find(&mut self, item: ItemId, line: usize, measure: Measure, width: u16) -> Option<Spot> {
        let index = self.items.partition_point(|other| other.id < item);
        if index >= self.items.len() {
            return None;
        }
        let height = self.height_of(index);
        let line = if measure.width == width || measure.height == 0 {
            line
        } else {
            line * height / measure.height
        };
        Some((index, line.min(height.saturating_sub(1))))
    }

    fn height_of(&mut self, index: usize) -> usize {
        self.slots.height(self.items, index, self.now)
    }

    /// The line at the top of the pane when the last line is at its bottom.
    fn top_at_end(&mut self) -> Spot {
        let mut missing = self.height;
        for index in (0..self.items.len()).rev() {
            let height = self.height_of(index);
            if height >= missing {
                return (index, height - missing);
            }
            missing -= height;
        }
        (0, 0)
    }

    fn up(&mut self, (mut index, line): Spot, distance: usize) -> Spot {
        if let Some(line) = line.checked_sub(distance) {
            return (index, line);
        }
        let mut left = distance - line;
        while index > 0 {
            index -= 1;
            let height = self.height_of(index);
            if let Some(line) = height.checked_sub(left) {
                return (index, line);
            }
            left -= height;
        }
        (0, 0)
    }

    fn down(&mut self, (mut index, line): Spot, distance: usize, end: Spot) -> Spot {
        let mut target = line.saturating_add(distance);
        while (index, target) < end || index < end.0 {
            let height = self.height_of(index);
            if target < height {
                return (index, target);
            }
            target -= height;
            index += 1;
        }
        (index, target).max(end)
    }

    /// Draws from the top on. Returns the line after the last one drawn.
    fn draw_lines(&mut self, top: Spot, area: Rect, frame: &mut Frame<'_>) -> Spot {
        let (mut index, mut line) = top;
        let mut y = area.y;
        while y < area.bottom() && index < self.items.len() {
            let lines = self.slots.lines(self.items, index, self.now);
            if let Some(text) = lines.get(line) {
                frame.buffer_mut().set_line(area.x, y, text, area.width);
                y += 1;
                line += 1;
            } else {
                (index, line) = (index + 1, 0);
            }
        }
        (index, line)
    }

    fn settled(&mut self, top: Spot, after: Spot, follows: bool, width: u16) -> Settled {
        let anchor = match self.items.get(top.0) {
            Some(item) if !follows => Anchor::At {
                item: item.id,
                line: top.1,
            },
            Some(_) | None => Anchor::Follow,
        };
        let height = if top.0 < self.items.len() {
            self.height_of(top.0)
        } else {
            0
        };
        let lines_below = if follows {
            0
        } else {
            self.slots.total_from(after.0).saturating_sub(after.1)
        };
        Settled {
            anchor,
            measure: Measure { width, height },
            end: self.end(),
            lines_below,
            page_height: u16::try_from(self.height).unwrap_or(u16::MAX),
        }
    }

    fn end(&mut self) -> Option<Place> {
        let last = self.items.len().checked_sub(1)?;
        let height = self.height_of(last);
        self.items.get(last).map(|item| Place {
            item: item.id,
            line: height.saturating_sub(1),
        })
    }

    /// Counts the lines after a place. Everything there is laid out for it: the count is exact.
    fn lines_after(&mut self, place: Place) -> usize {
        let first = self.items.partition_point(|item| item.id < place.item);
        let mut lines = 0;
        for index in first..self.items.len() {
            let height = self.height_of(index);
            let is_place = self
                .items
                .get(index)
                .is_some_and(|item| item.id == place.item);
            lines += if is_place {
                height.saturating_sub(place.line + 1)
            } else {
                height
            };
        }
        lines
    }
}

fn draw_pill(new: usize, below: usize, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let (label, style) = match (new, below) {
        (_, 0) => return,
        (0, _) => (format!(" ↓ {below} more lines "), theme.dim()),
        (1, _) => (" ↓ 1 new line ".to_owned(), theme.pill()),
        (_, _) => (format!(" ↓ {new} new lines "), theme.pill()),
    };
    let width = u16::try_from(text::width(&label)).unwrap_or(u16::MAX);
    if width > area.width || area.height < 2 {
        return;
    }
    let x = area.right() - width;
    let line = Line::styled(label, style);
    frame
        .buffer_mut()
        .set_line(x, area.bottom() - 1, &line, width);
}
