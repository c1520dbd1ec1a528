//! The conversation in memory and its invariant: every call is answered, once, in order.

use std::collections::HashSet;
use std::sync::Arc;

use crate::chat::id::ToolUseId;
use crate::chat::message::{ContentBlock, Message, Role};
use crate::chat::tool::ToolResult;

/// The messages so far.
///
/// Invariant: a message that asks for calls is followed by one user message that begins with
/// exactly one result for each of them, in the order asked, or it is the last message and its calls
/// are *open*. Nothing can be sent, and nothing but the answers can be added, while calls are open.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    messages: Vec<Arc<Message>>,
    open: Vec<ToolUseId>,
    known_ids: HashSet<ToolUseId>,
}

/// A copy of a conversation without open calls: the only thing that a request can be made of.
///
/// Only [`Conversation::history`] makes one, so a request with an unanswered call can't be written.
#[derive(Debug, Clone, PartialEq)]
pub struct History(Vec<Arc<Message>>);

impl History {
    /// Returns the messages in order.
    pub fn messages(&self) -> &[Arc<Message>] {
        &self.0
    }
}

/// A step that would have broken the conversation's invariant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConversationError {
    /// Calls wait for their results.
    #[error("{0} calls are still open")]
    CallsOpen(usize),
    /// The results are not those that were asked for.
    #[error("results do not match the calls that are open")]
    WrongResults,
    /// A call has an id that was used before.
    #[error("the call id `{0}` was used before")]
    IdUsedTwice(ToolUseId),
    /// A message must hold something.
    #[error("a message must not be empty")]
    Empty,
}

impl Conversation {
    /// Returns the messages so far.
    pub fn messages(&self) -> &[Arc<Message>] {
        &self.messages
    }

    /// Returns the calls that wait for their results, in the order asked.
    pub fn open_calls(&self) -> &[ToolUseId] {
        &self.open
    }

    /// Tells whether a call of this id was asked for before.
    pub fn knows(&self, id: &ToolUseId) -> bool {
        self.known_ids.contains(id)
    }

    /// Adds what the person said.
    pub fn push_user(&mut self, blocks: Vec<ContentBlock>) -> Result<(), ConversationError> {
        self.check_addable(&blocks)?;
        self.messages.push(Arc::new(Message {
            role: Role::User,
            blocks,
        }));
        Ok(())
    }

    /// Adds what the model said. Calls in it become open.
    pub fn push_reply(&mut self, blocks: Vec<ContentBlock>) -> Result<(), ConversationError> {
        self.check_addable(&blocks)?;
        let asked: Vec<ToolUseId> = blocks
            .iter()
            .filter_map(ContentBlock::as_tool_use)
            .map(|tool_use| tool_use.id.clone())
            .collect();
        let mut fresh = HashSet::new();
        for id in &asked {
            if self.known_ids.contains(id) || !fresh.insert(id.clone()) {
                return Err(ConversationError::IdUsedTwice(id.clone()));
            }
        }
        self.known_ids.extend(fresh);
        self.open = asked;
        self.messages.push(Arc::new(Message {
            role: Role::Assistant,
            blocks,
        }));
        Ok(())
    }

    /// Answers all open calls in one message.
    pub fn answer(&mut self, results: Vec<ToolResult>) -> Result<(), ConversationError> {
        let fits = results.len() == self.open.len()
            && results
                .iter()
                .zip(&self.open)
                .all(|(result, id)| result.id == *id);
        if results.is_empty() || !fits {
            return Err(ConversationError::WrongResults);
        }
        let blocks = results.into_iter().map(ContentBlock::ToolResult).collect();
        self.messages.push(Arc::new(Message {
            role: Role::User,
            blocks,
        }));
        self.open.clear();
        Ok(())
    }

    /// Forgets every message from `length` on, for a turn that the model refused.
    ///
    /// Ids stay known, so that a later call never takes one of theirs.
    pub fn truncate(&mut self, length: usize) {
        if length < self.messages.len() {
            self.messages.truncate(length);
            self.open.clear();
            if let Some(last) = self.messages.last() {
                self.open = last
                    .tool_uses()
                    .map(|tool_use| tool_use.id.clone())
                    .collect();
            }
        }
    }

    /// Returns what a request may carry, or how many calls stand in its way.
    pub fn history(&self) -> Result<History, ConversationError> {
        if self.open.is_empty() {
            Ok(History(self.messages.clone()))
        } else {
            Err(ConversationError::CallsOpen(self.open.len()))
        }
    }

    fn check_addable(&self, blocks: &[ContentBlock]) -> Result<(), ConversationError> {
        if !self.open.is_empty() {
            return Err(ConversationError::CallsOpen(self.open.len()));
        }
        if blocks.is_empty() {
            return Err(ConversationError::Empty);
        }
        Ok(())
    }
}
