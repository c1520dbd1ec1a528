//! A reply while it arrives: from stream events to blocks.

use crate::chat::message::{ContentBlock, Message, ModelBlock, ModelContent};
use crate::chat::stream::{BlockOpening, StopReason, StreamEvent, Usage};

/// A reply that is still arriving.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// The service's id of the reply.
    pub reply_id: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
    /// Why it stops, once it has said so.
    pub stop: Option<StopReason>,
    /// The latest token counts.
    pub usage: Usage,
    blocks: Vec<(usize, DraftBlock)>,
}

/// One block of a reply that is still arriving.
#[derive(Debug, Clone, PartialEq)]
pub enum DraftBlock {
    /// Text so far.
    Text(String),
    /// Readable reasoning so far.
    Thinking(String),
    /// A call whose arguments are on their way.
    ToolUse {
        /// The public name.
        name: String,
        /// How many bytes of arguments have come.
        bytes: usize,
    },
    /// Something else that has begun.
    Other {
        /// The block's `type`.
        kind: String,
    },
    /// A whole block.
    Whole(ModelBlock),
}

impl Draft {
    /// Takes in one step of the reply.
    pub fn apply(&mut self, event: StreamEvent) {
        match event {
            StreamEvent::Started { reply_id, model } => {
                self.reply_id = reply_id;
                self.model = model;
            }
            StreamEvent::BlockStarted { index, opening } => self.open(index, opening),
            StreamEvent::TextGrew { index, text } => self.grow_text(index, &text),
            StreamEvent::ThinkingGrew { index, text } => self.grow_thinking(index, &text),
            StreamEvent::ArgumentsGrew { index, bytes } => self.grow_arguments(index, bytes),
            StreamEvent::BlockFinished { index, block } => {
                self.put(index, DraftBlock::Whole(block));
            }
            StreamEvent::UsageReported(usage) => self.usage = usage,
            StreamEvent::Stopping(reason) => self.stop = Some(reason),
            StreamEvent::Finished | StreamEvent::Failed(_) => {}
        }
    }

    /// Returns the blocks so far, in the reply's order.
    pub fn blocks(&self) -> impl Iterator<Item = &DraftBlock> {
        self.blocks.iter().map(|(_, block)| block)
    }

    /// Returns the blocks that are whole, in the reply's order.
    pub fn into_whole_blocks(self) -> Vec<ModelBlock> {
        let whole = |(_, block)| match block {
            DraftBlock::Whole(block) => Some(block),
            DraftBlock::Text(_)
            | DraftBlock::Thinking(_)
            | DraftBlock::ToolUse { .. }
            | DraftBlock::Other { .. } => None,
        };
        self.blocks.into_iter().filter_map(whole).collect()
    }

    /// Returns the text so far, for a reply that was cut: nothing else of it may be used.
    ///
    /// Calls and reasoning of a cut reply are left out; trailing blanks are cut off, and a text of
    /// blanks alone counts as nothing.
    pub fn text_so_far(&self) -> Option<String> {
        let texts: Vec<&str> = self
            .blocks()
            .filter_map(|block| match block {
                DraftBlock::Text(text)
                | DraftBlock::Whole(ModelBlock {
                    content: ModelContent::Text(text),
                    ..
                }) => Some(text.as_str()),
                DraftBlock::Thinking(_)
                | DraftBlock::ToolUse { .. }
                | DraftBlock::Other { .. }
                | DraftBlock::Whole(_) => None,
            })
            .collect();
        let text = texts.join("\n");
        let trimmed = text.trim_end();
        (!trimmed.trim().is_empty()).then(|| trimmed.to_owned())
    }

    fn open(&mut self, index: usize, opening: BlockOpening) {
        let block = match opening {
            BlockOpening::Text => DraftBlock::Text(String::new()),
            BlockOpening::Thinking => DraftBlock::Thinking(String::new()),
            BlockOpening::ToolUse { name } => DraftBlock::ToolUse { name, bytes: 0 },
            BlockOpening::Other { kind } => DraftBlock::Other { kind },
        };
        self.put(index, block);
    }

    fn grow_text(&mut self, index: usize, added: &str) {
        if let Some(DraftBlock::Text(text)) = self.find(index) {
            text.push_str(added);
        }
    }

    fn grow_thinking(&mut self, index: usize, added: &str) {
        if let Some(DraftBlock::Thinking(text)) = self.find(index) {
            text.push_str(added);
        }
    }

    fn grow_arguments(&mut self, index: usize, added: usize) {
        if let Some(DraftBlock::ToolUse { bytes, .. }) = self.find(index) {
            *bytes += added;
        }
    }

    fn find(&mut self, index: usize) -> Option<&mut DraftBlock> {
        // The block that grows is nearly always the last one.
        self.blocks
            .iter_mut()
            .rev()
            .find(|(at, _)| *at == index)
            .map(|(_, block)| block)
    }

    fn put(&mut self, index: usize, block: DraftBlock) {
        if let Some(place) = self.find(index) {
            *place = block;
        } else {
            let at = self.blocks.partition_point(|(other, _)| *other < index);
            self.blocks.insert(at, (index, block));
        }
    }
}

impl From<Vec<ModelBlock>> for Message {
    fn from(blocks: Vec<ModelBlock>) -> Self {
        Self {
            role: crate::chat::message::Role::Assistant,
            blocks: blocks.into_iter().map(ContentBlock::Model).collect(),
        }
    }
}
