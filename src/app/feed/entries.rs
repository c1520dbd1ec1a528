//! From what is remembered to items: the same way live and from a transcript.

use std::collections::BTreeMap;

use crate::agent::tools::Toolbox;
use crate::app::feed::{Arriving, Feed};
use crate::app::notice::{Level, Notice};
use crate::app::timeline::{ItemBody, ItemId};
use crate::chat::entry::Entry;
use crate::chat::message::{ContentBlock, ModelContent};
use crate::chat::moment::Millis;

impl Feed {
    /// Takes in something that is remembered.
    pub fn take_in(&mut self, entry: &Entry, tools: &Toolbox, now: Millis) {
        match entry {
            Entry::UserSaid(blocks) => self.add_person(blocks),
            Entry::Requested { .. } | Entry::Decided { .. } => {}
            Entry::Replied { blocks, .. } => self.settle_reply(blocks, tools, now),
            Entry::Cut { text, .. } => self.settle_cut(text.as_deref()),
            Entry::Refused { category, .. } => self.settle_refusal(category.as_deref()),
            Entry::Answered(result) => self.end_call(result, now),
        }
    }

    fn add_person(&mut self, blocks: &[ContentBlock]) {
        for block in blocks {
            match block {
                ContentBlock::Text(text) => {
                    let text = self.redactor.text(text);
                    self.push(ItemBody::Person {
                        text,
                        queued: false,
                    });
                }
                ContentBlock::Image(media) => {
                    let kind = format!("picture ({})", media.media_type);
                    self.push(ItemBody::Other { kind });
                }
                ContentBlock::ToolResult(_) | ContentBlock::Model(_) => {}
            }
        }
    }

    /// Puts the whole blocks in the place of what arrived of them.
    fn settle_reply(&mut self, blocks: &[ContentBlock], tools: &Toolbox, now: Millis) {
        let mut arrived = std::mem::take(&mut self.arriving).into_values();
        let calls = blocks
            .iter()
            .filter(|block| block.as_tool_use().is_some())
            .count();
        let mut place = 0;
        for block in blocks {
            let item = arrived.next().map(|arriving| arriving.item);
            if block.as_tool_use().is_some() {
                place += 1;
            }
            if let Some(body) = self.body_of(block, tools, (place, calls), now) {
                self.settle(item, body);
            } else if let Some(item) = item {
                self.remove(item);
            }
        }
        for left in arrived {
            self.remove(left.item);
        }
    }

    fn body_of(
        &self,
        block: &ContentBlock,
        tools: &Toolbox,
        place: (usize, usize),
        now: Millis,
    ) -> Option<ItemBody> {
        let content = match block {
            ContentBlock::Model(block) => &block.content,
            ContentBlock::Text(text) => return Some(self.reply(text)),
            ContentBlock::Image(_) | ContentBlock::ToolResult(_) => return None,
        };
        match content {
            ModelContent::Text(text) if text.trim().is_empty() => None,
            ModelContent::Text(text) => Some(self.reply(text)),
            ModelContent::Thinking { text } => Some(ItemBody::Thinking {
                text: self.redactor.text(text),
                whole: true,
            }),
            ModelContent::RedactedThinking => Some(ItemBody::Other {
                kind: "hidden thinking".to_owned(),
            }),
            ModelContent::ToolUse(tool_use) => Some(ItemBody::Call(Box::new(
                self.new_card(tool_use, tools, place, now),
            ))),
            ModelContent::Other { kind } => Some(ItemBody::Other { kind: kind.clone() }),
        }
    }

    fn reply(&self, text: &str) -> ItemBody {
        ItemBody::Reply {
            source: self.redactor.text(text),
            whole: true,
        }
    }

    fn settle(&mut self, item: Option<ItemId>, body: ItemBody) {
        match item {
            Some(id) => self.change(id, |place| *place = body),
            None => {
                self.push(body);
            }
        }
    }

    /// Keeps the text of a cut reply where it is, and drops the rest: nothing of it may be used.
    fn settle_cut(&mut self, text: Option<&str>) {
        let arriving = std::mem::take(&mut self.arriving);
        if arriving.is_empty() {
            if let Some(text) = text {
                let body = self.reply(text);
                self.push(body);
            }
            return;
        }
        self.finish_texts(arriving);
    }

    fn finish_texts(&mut self, arriving: BTreeMap<usize, Arriving>) {
        for (_, mut arriving) in arriving {
            let rest = arriving.redactor.finish(&self.redactor);
            let mut keep = false;
            self.change(arriving.item, |body| match body {
                ItemBody::Reply {
                    source: text,
                    whole,
                }
                | ItemBody::Thinking { text, whole } => {
                    text.push(&rest);
                    *whole = true;
                    keep = !text.trim().is_empty();
                }
                ItemBody::Other { .. } => keep = true,
                ItemBody::Preparing { .. }
                | ItemBody::Person { .. }
                | ItemBody::Call(_)
                | ItemBody::Notice(_) => {}
            });
            if !keep {
                self.remove(arriving.item);
            }
        }
    }

    fn settle_refusal(&mut self, category: Option<&str>) {
        for (_, arriving) in std::mem::take(&mut self.arriving) {
            self.remove(arriving.item);
        }
        let about = category
            .map(|category| format!(" ({category})"))
            .unwrap_or_default();
        let text = format!(
            "The model refused{about}. The messages of this turn are not sent again. Write \
             something else, or try another model."
        );
        self.notice(Notice::new(Level::Warning, text));
    }
}
