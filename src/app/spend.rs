//! What the session has cost, in tokens and in dollars.

use crate::chat::entry::Entry;
use crate::chat::stream::Usage;
use crate::provider::catalog::Catalog;

/// Tokens and dollars so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spend {
    /// Of all requests.
    pub total: Usage,
    /// Of the latest request.
    pub latest: Usage,
    /// In US dollars; nothing when a model's price is not known.
    dollars: f64,
    unpriced: bool,
    requests: u32,
}

impl Spend {
    /// Adds what one request cost.
    pub fn add(&mut self, usage: Usage, model: &str) {
        if usage == Usage::default() {
            return;
        }
        self.requests += 1;
        self.total = self.total.plus(usage);
        self.latest = usage;
        match Catalog::builtin()
            .model(model)
            .and_then(|facts| facts.cost(&usage))
        {
            Some(cost) => self.dollars += cost,
            None => self.unpriced = true,
        }
    }

    /// Returns the dollars so far, if the price of every request is known.
    pub fn dollars(&self) -> Option<f64> {
        (self.requests > 0 && !self.unpriced).then_some(self.dollars)
    }

    /// Returns how many requests were counted.
    pub const fn requests(&self) -> u32 {
        self.requests
    }

    /// Returns the part of the latest prompt that came from the cache, from 0 to 1.
    pub fn cache_hit(&self) -> Option<f64> {
        let prompt = self.latest.prompt();
        #[expect(
            clippy::cast_precision_loss,
            reason = "token counts are far below 2^52"
        )]
        (prompt > 0).then(|| self.latest.cache_read as f64 / prompt as f64)
    }

    /// Returns how many tokens the conversation takes up, as of the latest reply.
    pub const fn context(&self) -> u64 {
        self.latest.prompt() + self.latest.output
    }
}

/// Returns what an entry of the conversation has cost.
pub(in crate::app) const fn spent(entry: &Entry) -> Usage {
    match entry {
        Entry::Replied { usage, .. } | Entry::Cut { usage, .. } | Entry::Refused { usage, .. } => {
            *usage
        }
        Entry::UserSaid(_)
        | Entry::Requested { .. }
        | Entry::Decided { .. }
        | Entry::Answered(_) => Usage {
            input: 0,
            cache_read: 0,
            cache_write: 0,
            output: 0,
        },
    }
}
