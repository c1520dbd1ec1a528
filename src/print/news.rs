//! What is new in the conversation since it was last looked at: the pane as a stream.

use std::collections::HashMap;

use crate::app::feed::Feed;
use crate::app::notice::Notice;
use crate::app::timeline::{CallCard, CallState, ItemBody, ItemId};

/// One piece of news, borrowed from the pane.
#[derive(Debug)]
pub(in crate::print) enum News<'a> {
    /// The model's text went on.
    Text(&'a str),
    /// The model's text is whole.
    TextEnded,
    /// The model's reasoning is whole.
    Thought(&'a str),
    /// A call waits, runs or is over.
    Call(&'a CallCard),
    /// A block of another kind.
    Other(&'a str),
    /// A line to the person.
    Notice(&'a Notice),
}

/// How far the conversation has been looked at.
#[derive(Debug, Default)]
pub(in crate::print) struct Reader {
    /// What was seen of each item: bytes of a text, or the stage of a call.
    seen: HashMap<ItemId, Seen>,
    /// Everything before this one is over and was seen.
    done_before: ItemId,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    bytes: usize,
    stage: u8,
}

impl Reader {
    /// Tells what is new, in order.
    pub(in crate::print) fn read<'a>(&mut self, feed: &'a Feed) -> Vec<News<'a>> {
        let mut news = Vec::new();
        let mut all_over = true;
        for item in feed.items() {
            if item.id < self.done_before {
                continue;
            }
            let seen = self.seen.entry(item.id).or_default();
            let over = look(&item.body, seen, &mut news);
            all_over &= over;
            if all_over {
                self.done_before = ItemId(item.id.0 + 1);
                self.seen.remove(&item.id);
            }
        }
        news
    }
}

/// Looks at one item; says whether nothing more will come of it.
fn look<'a>(body: &'a ItemBody, seen: &mut Seen, news: &mut Vec<News<'a>>) -> bool {
    match body {
        ItemBody::Person { .. } => true,
        ItemBody::Preparing { .. } => false,
        ItemBody::Reply { source, whole } => look_at_text(source, *whole, seen, news),
        ItemBody::Thinking { text, whole } => {
            if *whole && seen.stage == 0 {
                seen.stage = 1;
                news.push(News::Thought(text));
            }
            *whole
        }
        ItemBody::Call(card) => look_at_call(card, seen, news),
        ItemBody::Other { kind } => {
            once(seen, || news.push(News::Other(kind)));
            true
        }
        ItemBody::Notice(notice) => {
            once(seen, || news.push(News::Notice(notice)));
            true
        }
    }
}

fn look_at_text<'a>(
    source: &'a str,
    whole: bool,
    seen: &mut Seen,
    news: &mut Vec<News<'a>>,
) -> bool {
    if let Some(more) = source.get(seen.bytes..).filter(|more| !more.is_empty()) {
        news.push(News::Text(more));
        seen.bytes = source.len();
    }
    if whole {
        once(seen, || news.push(News::TextEnded));
    }
    whole
}

fn look_at_call<'a>(card: &'a CallCard, seen: &mut Seen, news: &mut Vec<News<'a>>) -> bool {
    let stage = match card.state {
        CallState::Waiting(_) => 1,
        CallState::Running { .. } => 2,
        CallState::Ended { .. } => 3,
    };
    if seen.stage < stage {
        seen.stage = stage;
        news.push(News::Call(card));
    }
    stage == 3
}

fn once(seen: &mut Seen, tell: impl FnOnce()) {
    if seen.stage == 0 {
        seen.stage = 1;
        tell();
    }
}
