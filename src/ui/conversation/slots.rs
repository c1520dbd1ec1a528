//! The items' lines, laid out once for a width and kept.

use ratatui::text::Line;

use crate::app::timeline::{CallState, Item, ItemBody, ItemId};
use crate::chat::moment::Millis;
use crate::ui::conversation::Setting;
use crate::ui::markdown::stream::Stream;
use crate::ui::markdown::{self, Page};
use crate::ui::message;
use crate::ui::tool_call;

/// One item's place in the list.
#[derive(Debug)]
struct Slot {
    stamp: Stamp,
    /// The lines that the item takes, guessed until it is laid out.
    height: usize,
    laid: Option<Laid>,
}

/// What an item's lines depend on besides the setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    id: ItemId,
    version: u32,
    /// The seconds that a running call counts.
    seconds: u64,
}

#[derive(Debug, Default)]
struct Laid {
    lines: Vec<Line<'static>>,
    /// The lines are those of the item as it is now.
    current: bool,
    /// What a reply that still grows goes on with.
    growing: Option<Growing>,
}

/// A reply that still grows.
#[derive(Debug)]
struct Growing {
    stream: Stream,
    /// So many of the stream's lines are among the item's for good.
    kept: usize,
}

/// The slots of all items, in their order.
#[derive(Debug, Default)]
pub(super) struct Slots {
    setting: Option<Setting>,
    slots: Vec<Slot>,
}

impl Slots {
    /// Makes one slot for each item and forgets what is out of date.
    pub(super) fn sync(&mut self, items: &[Item], setting: Setting, now: Millis) {
        if self.setting != Some(setting) {
            self.setting = Some(setting);
            self.slots.clear();
        }
        self.slots.truncate(items.len());
        for (index, item) in items.iter().enumerate() {
            let stamp = stamp(item, now);
            match self.slots.get_mut(index) {
                Some(slot) if slot.stamp == stamp => {}
                Some(slot) if slot.stamp.id == stamp.id => slot.renew(stamp, item, setting),
                Some(slot) => *slot = Slot::new(stamp, item, setting),
                None => self.slots.push(Slot::new(stamp, item, setting)),
            }
        }
    }

    /// Returns an item's height, laying it out if need be.
    pub(super) fn height(&mut self, items: &[Item], index: usize, now: Millis) -> usize {
        self.lines(items, index, now).len()
    }

    /// Returns an item's lines, laying it out if need be.
    pub(super) fn lines(&mut self, items: &[Item], index: usize, now: Millis) -> &[Line<'static>] {
        let (Some(slot), Some(item), Some(setting)) =
            (self.slots.get_mut(index), items.get(index), self.setting)
        else {
            return &[];
        };
        let laid = slot.laid.get_or_insert_default();
        if !laid.current {
            laid.lay_out(item, index, setting, now);
        }
        slot.height = laid.lines.len();
        &laid.lines
    }

    /// Returns how many lines the items from `index` on take; those never shown are guessed.
    pub(super) fn total_from(&self, index: usize) -> usize {
        self.slots.iter().skip(index).map(|slot| slot.height).sum()
    }
}

impl Slot {
    fn new(stamp: Stamp, item: &Item, setting: Setting) -> Self {
        Self {
            stamp,
            height: guess(item, setting),
            laid: None,
        }
    }

    fn renew(&mut self, stamp: Stamp, item: &Item, setting: Setting) {
        self.stamp = stamp;
        match &mut self.laid {
            Some(laid) => laid.current = false,
            None => self.height = guess(item, setting),
        }
    }
}

impl Laid {
    fn lay_out(&mut self, item: &Item, index: usize, setting: Setting, now: Millis) {
        self.current = true;
        let body = match &item.body {
            ItemBody::Reply {
                source,
                whole: false,
            } => return self.grow(source, index, setting),
            ItemBody::Reply {
                source,
                whole: true,
            } => message::in_gutter(&markdown::render(source, page(setting)), setting),
            ItemBody::Person { text, queued } => message::person(text, *queued, setting),
            ItemBody::Thinking { text, whole } => message::thinking(text, *whole, setting),
            ItemBody::Preparing { tool, bytes } => tool_call::preparing(tool, *bytes, setting),
            ItemBody::Call(card) => tool_call::card(card, now, setting),
            ItemBody::Other { kind } => message::other(kind, setting),
            ItemBody::Notice(notice) => message::notice(notice, setting),
        };
        self.growing = None;
        self.lines.clear();
        self.add(body, index);
    }

    /// Lays out what has come since; finished blocks are neither laid out nor copied again.
    fn grow(&mut self, source: &str, index: usize, setting: Setting) {
        let mut growing = self.growing.take().unwrap_or_else(|| Growing {
            stream: Stream::new(page(setting)),
            kept: 0,
        });
        growing.stream.update(source);
        let lines = growing.stream.lines();
        // A stream that began anew has fewer finished lines than were kept.
        let kept = growing.kept.min(growing.stream.finished());
        let kept = if kept < growing.kept { 0 } else { kept };
        let gap = usize::from(index > 0);
        self.lines.truncate(if kept == 0 { 0 } else { gap + kept });
        let fresh = lines.get(kept..).unwrap_or_default();
        self.add(message::in_gutter(fresh, setting), index);
        growing.kept = growing.stream.finished();
        self.growing = Some(growing);
    }

    /// Adds lines; a blank one stands above every item but the first.
    fn add(&mut self, body: Vec<Line<'static>>, index: usize) {
        if index > 0 && self.lines.is_empty() && !body.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.extend(body);
    }
}

fn page(setting: Setting) -> Page {
    Page {
        width: message::room(setting),
        theme: setting.theme,
    }
}

fn stamp(item: &Item, now: Millis) -> Stamp {
    let seconds = match &item.body {
        ItemBody::Call(card) => match &card.state {
            CallState::Running { since, .. } => now.since(*since).as_secs(),
            CallState::Waiting(_) | CallState::Ended { .. } => 0,
        },
        ItemBody::Person { .. }
        | ItemBody::Reply { .. }
        | ItemBody::Thinking { .. }
        | ItemBody::Preparing { .. }
        | ItemBody::Other { .. }
        | ItemBody::Notice(_) => 0,
    };
    Stamp {
        id: item.id,
        version: item.version,
        seconds,
    }
}

/// Guesses a height without laying anything out.
fn guess(item: &Item, setting: Setting) -> usize {
    let width = message::room(setting);
    match &item.body {
        ItemBody::Reply { source: text, .. } | ItemBody::Person { text, .. } => {
            1 + text
                .lines()
                .map(|line| 1 + line.len() / width)
                .sum::<usize>()
        }
        ItemBody::Thinking { .. }
        | ItemBody::Preparing { .. }
        | ItemBody::Other { .. }
        | ItemBody::Notice(_) => 2,
        ItemBody::Call(_) => 6,
    }
}
