//! Whatever comes, in whatever order: no panic, no call without its key, no request twice, and
//! everything is written down before it is built upon.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an observer looks at a few of many"
)]

use proptest::prelude::*;

use crate::agent::phase::Phase;
use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::{Event, Fact, Signal, Timer};
use crate::app::overlay::Overlay;
use crate::app::shown::{Shown, ShownCall};
use crate::app::tests::observer::Observer;
use crate::app::tests::stage::{Stage, beginning, call_block, success, text_block, tool, whole};
use crate::chat::failure::{FailureKind, RetryHint, TurnError};
use crate::chat::id::RequestId;
use crate::chat::listing::{ListedTool, Progress};
use crate::chat::moment::{Millis, Moment, Timestamp};
use crate::chat::stream::{StopReason, StreamEvent};
use crate::keymap::key::{Key, KeyCode, KeyMotion};

#[derive(Debug, Clone)]
enum Step {
    Wait(u64),
    Key(Key),
    Paste(&'static str),
    Window(u8),
    Text,
    Calls(Vec<&'static str>, bool),
    Begin(&'static str),
    Fail(bool),
    Stale,
    Finish(&'static str),
    Progress(&'static str),
    ShowEnd(bool),
    LoseServer,
}

const IDS: [&str; 4] = ["a", "b", "c", "d"];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => prop_oneof![0_u64..60, 200_u64..700, 1_000_u64..2_500].prop_map(Step::Wait),
        10 => key().prop_map(Step::Key),
        1 => prop::sample::select(vec!["y", "y\n", "text\r\n"]).prop_map(Step::Paste),
        1 => (0_u8..4).prop_map(Step::Window),
        2 => Just(Step::Text),
        4 => (prop::collection::vec(id(), 1..4), prop::bool::weighted(0.1)).prop_map(|(ids, cut)| Step::Calls(ids, cut)),
        2 => prop::sample::select(vec!["The ", "sk-ant-api03-"]).prop_map(Step::Begin),
        1 => any::<bool>().prop_map(Step::Fail),
        1 => Just(Step::Stale),
        3 => id().prop_map(Step::Finish),
        1 => id().prop_map(Step::Progress),
        1 => any::<bool>().prop_map(Step::ShowEnd),
        1 => Just(Step::LoseServer),
    ]
}

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(IDS.to_vec())
}

fn key() -> impl Strategy<Value = Key> {
    let chars = "yyyyYnNrvq?/x ".chars().map(Key::char);
    let ctrls = "cdogjz".chars().map(Key::ctrl);
    let codes = [
        KeyCode::Enter,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::PageUp,
        KeyCode::Backspace,
        KeyCode::F(1),
        KeyCode::F(2),
        KeyCode::F(5),
    ];
    let keys: Vec<Key> = chars.chain(ctrls).chain(codes.map(Key::press)).collect();
    let motion = prop_oneof![
        12 => Just(KeyMotion::Press),
        1 => Just(KeyMotion::Repeat),
        1 => Just(KeyMotion::Release),
    ];
    (prop::sample::select(keys), motion).prop_map(|(key, motion)| Key { motion, ..key })
}

struct Storm {
    app: App,
    now: u64,
    timers: Vec<(Timer, u64)>,
    shows_end: bool,
    observer: Observer,
    serial: u32,
}

impl Storm {
    fn tell(&mut self, fact: Fact) -> Result<(), TestCaseError> {
        let of_hold = matches!(fact, Fact::TimerFired(Timer::GateHold));
        self.observer.see_fact(&fact, self.now);
        let at = Moment {
            mono: Millis(self.now),
            wall: Timestamp(0),
        };
        for effect in self.app.update(Event { at, fact }) {
            self.observer.see_effect(&effect, of_hold, self.now)?;
            match effect {
                Effect::StartTimer { timer, after } => {
                    self.timers.retain(|(known, _)| *known != timer);
                    self.timers.push((timer, self.now + after.0));
                }
                Effect::StopTimer(timer) => self.timers.retain(|(known, _)| *known != timer),
                _ => {}
            }
        }
        let open = !self.app.agent.conversation().open_calls().is_empty();
        let at_tools = matches!(self.app.agent.phase(), Phase::AtTools(_));
        prop_assert_eq!(
            open,
            at_tools,
            "calls are open exactly while they wait or run"
        );
        Ok(())
    }

    fn draw(&mut self) -> Result<(), TestCaseError> {
        for _ in 0..4 {
            if !self.app.take_dirty() {
                return Ok(());
            }
            // Drawing a scene must work in every state.
            let _keys = self.app.scene(Moment::default()).keys.len();
            let front = self.app.agent.gate().front().map(|call| call.id().clone());
            let open = match (&self.app.overlay, front) {
                (None, front) => front,
                (Some(Overlay::Call { call, .. }), Some(_)) => Some(call.clone()),
                (Some(_), _) => None,
            };
            let gate = open.map(|call| ShownCall {
                call,
                end_visible: self.shows_end,
                max_scroll: 3,
                page_height: 2,
            });
            let scrolled_from = self.app.scroll;
            self.tell(Fact::Drawn(Shown {
                scrolled_from,
                gate,
                ..Shown::default()
            }))?;
        }
        prop_assert!(false, "every frame asks for another one");
        Ok(())
    }

    fn wait(&mut self, ms: u64) -> Result<(), TestCaseError> {
        let until = self.now + ms;
        while let Some(place) = self.timers.iter().position(|(_, at)| *at <= until) {
            let (timer, at) = self.timers.remove(place);
            self.now = self.now.max(at);
            self.tell(Fact::TimerFired(timer))?;
            self.draw()?;
        }
        self.now = until;
        Ok(())
    }

    fn streamed(&self) -> RequestId {
        match self.app.agent.phase() {
            Phase::Streaming { request, .. } => *request,
            Phase::Idle | Phase::Retrying { .. } | Phase::AtTools(_) | Phase::Halted(_) => {
                RequestId(0)
            }
        }
    }

    fn play(&mut self, step: Step) -> Result<(), TestCaseError> {
        self.serial += 1;
        let fact = match step {
            Step::Wait(ms) => return self.wait(ms),
            Step::ShowEnd(shows) => {
                self.shows_end = shows;
                return Ok(());
            }
            Step::Key(key) => Fact::KeyPressed(key),
            Step::Paste(text) => Fact::Pasted(text.into()),
            Step::Window(0) => Fact::Clicked,
            Step::Window(1) => Fact::Resized {
                width: 3,
                height: 3,
            },
            Step::Window(2) => Fact::Wheeled(-1),
            Step::Window(_) => Fact::FocusChanged(self.serial.is_multiple_of(2)),
            Step::Finish(id) => Fact::ToolFinished(success(&self.running(id))),
            Step::Progress(id) => Fact::ToolProgressed {
                call: self.running(id).as_str().into(),
                progress: Progress::default(),
            },
            Step::LoseServer => Fact::ToolsListed {
                server: "s".into(),
                tools: self.listed(),
                problems: Vec::new(),
            },
            step => self.what_the_model_does(step),
        };
        self.tell(fact)?;
        self.draw()
    }

    fn what_the_model_does(&self, step: Step) -> Fact {
        let mut request = self.streamed();
        let events = match step {
            Step::Fail(retry) => {
                return Fact::RequestFailed {
                    request,
                    error: TurnError::new(FailureKind::Overloaded, ""),
                    retry: RetryHint {
                        body_began: !retry,
                        ..RetryHint::default()
                    },
                };
            }
            Step::Calls(ids, cut) => self.calls(&ids, cut),
            Step::Begin(text) => beginning(text),
            Step::Stale => {
                request = RequestId(request.0.saturating_sub(1));
                whole(vec![call_block("stale", "s__wipe")], StopReason::ToolUse)
            }
            _ => whole(vec![text_block("ok")], StopReason::EndTurn),
        };
        Fact::Streamed { request, events }
    }

    /// A reply that asks for calls. Half of the ids were used before, or are used twice in it.
    fn calls(&self, ids: &[&str], cut: bool) -> Vec<StreamEvent> {
        let fresh = |id: &str| {
            if self.serial.is_multiple_of(2) {
                format!("{id}{}", self.serial)
            } else {
                id.to_owned()
            }
        };
        let blocks = ids.iter().map(|id| call_block(&fresh(id), "s__echo"));
        let reason = if cut {
            StopReason::MaxTokens
        } else {
            StopReason::ToolUse
        };
        whole(blocks.collect(), reason)
    }

    /// The server loses its tools, or has them again.
    fn listed(&self) -> Vec<ListedTool> {
        if self.serial.is_multiple_of(3) {
            Vec::new()
        } else {
            vec![tool("echo")]
        }
    }

    /// A call that runs, if there is one; else a name that may be nobody's.
    fn running(&self, id: &str) -> String {
        let Phase::AtTools(calls) = self.app.agent.phase() else {
            return id.to_owned();
        };
        let running = calls
            .iter()
            .find(|call| self.app.agent.is_running(&call.id));
        running.map_or(id.to_owned(), |call| call.id.to_string())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_storm_of_events_runs_a_call_without_its_key_or_asks_twice(steps in prop::collection::vec(step(), 1..120)) {
        let stage = Stage::new();
        let mut storm = Storm {
            app: stage.app,
            now: stage.now,
            timers: Vec::new(),
            shows_end: true,
            observer: Observer::default(),
            serial: 0,
        };
        // Begin in the middle of things: a turn whose calls wait.
        for char in "go".chars() {
            storm.play(Step::Key(Key::char(char)))?;
        }
        storm.play(Step::Wait(50))?;
        storm.play(Step::Key(Key::press(KeyCode::Enter)))?;
        storm.play(Step::Calls(vec!["a", "b"], false))?;
        for step in steps {
            storm.play(step)?;
        }
        storm.tell(Fact::Signalled(Signal::Terminate))?;
        prop_assert!(storm.observer.ended);
        prop_assert!(storm.observer.open.is_empty(), "a call was left without a result");
    }
}
