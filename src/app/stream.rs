//! What arrives while the model and the tools work.

use crate::agent::event::AgentEvent;
use crate::app::App;
use crate::app::effect::Effect;
use crate::chat::id::{RequestId, ToolUseId};
use crate::chat::listing::Progress;
use crate::chat::stream::StreamEvent;

impl App {
    pub(in crate::app) fn on_streamed(
        &mut self,
        request: RequestId,
        events: Vec<StreamEvent>,
        out: &mut Vec<Effect>,
    ) {
        // An answer that nobody waits for is dropped here, before anything of it is shown.
        if !self.agent.awaits(request) {
            return;
        }
        for event in &events {
            self.feed.stream(event);
        }
        self.tell(AgentEvent::Streamed { request, events }, out);
    }

    pub(in crate::app) fn on_progress(
        &mut self,
        call: ToolUseId,
        progress: Progress,
        out: &mut Vec<Effect>,
    ) {
        if self.agent.is_running(&call) {
            self.feed.note_progress(&call, &progress);
            self.tell(AgentEvent::ToolProgressed { call, progress }, out);
        }
    }
}
