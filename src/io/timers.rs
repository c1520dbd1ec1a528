//! Waits that were asked for.

use std::collections::HashMap;
use std::time::Duration;

use tokio::task::JoinSet;

use crate::app::event::{Fact, Timer};
use crate::chat::moment::Millis;
use crate::io::facts::Facts;

/// The waits that are under way. A dropped wait is never heard of.
#[derive(Debug)]
pub(in crate::io) struct Timers {
    facts: Facts,
    running: HashMap<Timer, JoinSet<()>>,
}

impl Timers {
    pub(in crate::io) fn new(facts: Facts) -> Self {
        Self {
            facts,
            running: HashMap::new(),
        }
    }

    pub(in crate::io) fn start(&mut self, timer: Timer, after: Millis) {
        self.running
            .retain(|_, wait| !wait.is_empty() && wait.try_join_next().is_none());
        let facts = self.facts.clone();
        let mut wait = JoinSet::new();
        wait.spawn(async move {
            tokio::time::sleep(Duration::from_millis(after.0)).await;
            facts.tell(Fact::TimerFired(timer)).await;
        });
        self.running.insert(timer, wait);
    }

    pub(in crate::io) fn stop(&mut self, timer: Timer) {
        self.running.remove(&timer);
    }
}
