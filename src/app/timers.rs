//! Which waits are under way: asked for when needed, forgotten when not.

use crate::agent::event::AgentEvent;
use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::Timer;
use crate::chat::moment::Millis;

/// Every second while something on the screen counts seconds.
const TICK: Millis = Millis(1_000);
/// How long a passing line stays.
const FLASH: Millis = Millis(3_000);
/// A second Ctrl+C within this time quits.
const QUIT_WINDOW: Millis = Millis(2_000);

/// The waits that have been asked for and not yet run out.
#[derive(Debug, Default)]
pub(in crate::app) struct Timers {
    ticking: bool,
    gate: Option<Millis>,
}

impl App {
    pub(in crate::app) fn on_timer(&mut self, timer: Timer, out: &mut Vec<Effect>) {
        match timer {
            Timer::GateQuiet => self.timers.gate = None,
            Timer::GateHold => self.on_hold_over(out),
            Timer::Retry(request) => self.tell(AgentEvent::RetryDue(request), out),
            Timer::Tick => self.timers.ticking = false,
            Timer::NoticeFades if self.quit_armed => {}
            Timer::NoticeFades => self.flash = None,
            Timer::QuitWindow => self.disarm_quit(),
        }
    }

    /// Asks for the waits that the state needs and that are not under way.
    pub(in crate::app) fn schedule(&mut self, out: &mut Vec<Effect>) {
        if self.agent.is_busy() && !self.timers.ticking {
            self.timers.ticking = true;
            out.push(Effect::StartTimer {
                timer: Timer::Tick,
                after: TICK,
            });
        }
        let armed_at = self
            .agent
            .gate()
            .armed_at()
            .filter(|at| *at > self.now.mono);
        if armed_at.is_some() && armed_at != self.timers.gate {
            self.timers.gate = armed_at;
            let after = armed_at.unwrap_or_default().since(self.now.mono);
            out.push(Effect::StartTimer {
                timer: Timer::GateQuiet,
                after,
            });
        }
    }

    /// Shows a line that passes by itself.
    pub(in crate::app) fn flash(&mut self, text: impl Into<String>, out: &mut Vec<Effect>) {
        self.flash = Some(text.into());
        out.push(Effect::StartTimer {
            timer: Timer::NoticeFades,
            after: FLASH,
        });
    }

    pub(in crate::app) fn disarm_quit(&mut self) {
        if std::mem::take(&mut self.quit_armed) {
            self.flash = None;
        }
    }

    pub(in crate::app) fn arm_quit(&mut self, out: &mut Vec<Effect>) {
        self.quit_armed = true;
        self.flash = Some("Press Ctrl+C again to quit.".to_owned());
        out.push(Effect::StartTimer {
            timer: Timer::QuitWindow,
            after: QUIT_WINDOW,
        });
    }
}
