//! Token counts, which each report replaces.

use serde::Deserialize;

use crate::chat::stream::Usage;

/// No request has more tokens; a nonsense count must not overflow a sum.
const MOST: u64 = 1 << 40;

/// The counts of one report; what is absent or null says nothing.
#[derive(Debug, Default, Deserialize)]
pub(super) struct UsageReport {
    #[serde(default, rename = "input_tokens")]
    input: Option<u64>,
    #[serde(default, rename = "cache_read_input_tokens")]
    cache_read: Option<u64>,
    #[serde(default, rename = "cache_creation_input_tokens")]
    cache_write: Option<u64>,
    #[serde(default, rename = "output_tokens")]
    output: Option<u64>,
}

impl UsageReport {
    /// Puts the report's counts in the place of older ones. Reports are sums so far, never steps.
    pub(super) fn replace_in(&self, usage: &mut Usage) {
        let replace = |place: &mut u64, count: Option<u64>| {
            *place = count.map_or(*place, |count| count.min(MOST));
        };
        replace(&mut usage.input, self.input);
        replace(&mut usage.cache_read, self.cache_read);
        replace(&mut usage.cache_write, self.cache_write);
        replace(&mut usage.output, self.output);
    }
}
