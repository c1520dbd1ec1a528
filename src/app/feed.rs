//! The conversation pane as it grows: from stream events and entries to items.
//!
//! Everything passes the redactor on its way in. A reply that arrives makes its items at once; when
//! it is whole, the entry that remembers it settles them.

mod cards;
mod entries;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::notice::Notice;
use crate::app::timeline::{CallCard, Item, ItemBody, ItemId};
use crate::chat::id::ToolUseId;
use crate::chat::stream::{BlockOpening, StreamEvent};
use crate::redact::{Redacted, Redactor, StreamRedactor};

/// The items of the conversation pane.
///
/// Invariant: ids grow down the page, and a version grows with every change of its item.
#[derive(Debug)]
pub struct Feed {
    redactor: Arc<Redactor>,
    items: Vec<Item>,
    next: u64,
    /// The items of the reply that arrives, by the block's index.
    arriving: BTreeMap<usize, Arriving>,
}

#[derive(Debug)]
struct Arriving {
    item: ItemId,
    redactor: StreamRedactor,
}

impl Feed {
    /// Makes an empty pane.
    pub fn new(redactor: Arc<Redactor>) -> Self {
        Self {
            redactor,
            items: Vec::new(),
            next: 1,
            arriving: BTreeMap::new(),
        }
    }

    /// Returns the items, down the page.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Forgets everything; ids go on, so that no view mistakes a new item for an old one.
    pub fn clear(&mut self) {
        self.items.clear();
        self.arriving.clear();
    }

    /// Adds a line to the person.
    pub fn notice(&mut self, notice: Notice) {
        self.push(ItemBody::Notice(notice));
    }

    /// Takes in one step of the reply that arrives.
    pub fn stream(&mut self, event: &StreamEvent) {
        match event {
            StreamEvent::BlockStarted { index, opening } => self.open(*index, opening),
            StreamEvent::TextGrew { index, text } | StreamEvent::ThinkingGrew { index, text } => {
                self.grow(*index, text);
            }
            StreamEvent::ArgumentsGrew { index, bytes } => self.grow_arguments(*index, *bytes),
            StreamEvent::Started { .. }
            | StreamEvent::BlockFinished { .. }
            | StreamEvent::UsageReported(_)
            | StreamEvent::Stopping(_)
            | StreamEvent::Finished
            | StreamEvent::Failed(_) => {}
        }
    }

    /// Returns a call's card.
    pub fn card(&self, id: &ToolUseId) -> Option<&CallCard> {
        self.items.iter().rev().find_map(|item| match &item.body {
            ItemBody::Call(card) if card.id == *id => Some(&**card),
            ItemBody::Call(_)
            | ItemBody::Person { .. }
            | ItemBody::Reply { .. }
            | ItemBody::Thinking { .. }
            | ItemBody::Preparing { .. }
            | ItemBody::Other { .. }
            | ItemBody::Notice(_) => None,
        })
    }

    fn open(&mut self, index: usize, opening: &BlockOpening) {
        let body = match opening {
            BlockOpening::Text => ItemBody::Reply {
                source: Redacted::default(),
                whole: false,
            },
            BlockOpening::Thinking => ItemBody::Thinking {
                text: Redacted::default(),
                whole: false,
            },
            BlockOpening::ToolUse { name } => {
                let tool = self.redactor.text(name).into_inner();
                ItemBody::Preparing { tool, bytes: 0 }
            }
            BlockOpening::Other { kind } => ItemBody::Other { kind: kind.clone() },
        };
        let item = self.push(body);
        self.arriving.insert(
            index,
            Arriving {
                item,
                redactor: StreamRedactor::default(),
            },
        );
    }

    fn grow(&mut self, index: usize, piece: &str) {
        let Some(arriving) = self.arriving.get_mut(&index) else {
            return;
        };
        let shown = arriving.redactor.push(&self.redactor, piece);
        if shown.is_empty() {
            return;
        }
        let id = arriving.item;
        self.change(id, |body| match body {
            ItemBody::Reply { source: text, .. } | ItemBody::Thinking { text, .. } => {
                text.push(&shown);
            }
            ItemBody::Person { .. }
            | ItemBody::Preparing { .. }
            | ItemBody::Call(_)
            | ItemBody::Other { .. }
            | ItemBody::Notice(_) => {}
        });
    }

    fn grow_arguments(&mut self, index: usize, added: usize) {
        let Some(id) = self.arriving.get(&index).map(|arriving| arriving.item) else {
            return;
        };
        self.change(id, |body| {
            if let ItemBody::Preparing { bytes, .. } = body {
                *bytes += added;
            }
        });
    }

    fn push(&mut self, body: ItemBody) -> ItemId {
        let id = ItemId(self.next);
        self.next += 1;
        self.items.push(Item {
            id,
            version: 0,
            body,
        });
        id
    }

    fn change(&mut self, id: ItemId, change: impl FnOnce(&mut ItemBody)) {
        // What changes is nearly always at the end.
        if let Some(item) = self.items.iter_mut().rev().find(|item| item.id == id) {
            change(&mut item.body);
            item.version += 1;
        }
    }

    fn remove(&mut self, id: ItemId) {
        self.items.retain(|item| item.id != id);
    }
}
