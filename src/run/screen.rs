//! The world with a screen: keys and frames on one side, everything else on the other.

use tokio::task::JoinSet;

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::event::{Event, Fact, Signal};
use crate::app::notice::{Level, Notice};
use crate::app::shown::Shown;
use crate::chat::moment::{Millis, Moment};
use crate::demo::Demo;
use crate::io::clock::Clock;
use crate::io::editor;
use crate::io::outside::{Haste, Outside};
use crate::io::terminal::signals::Signals;
use crate::io::terminal::{Terminal, TerminalError};
use crate::run::demo;
use crate::ui::{self, Cache};
use crate::world::World;

/// The world of a conversation on the whole screen.
#[derive(Debug)]
pub struct Screen {
    outside: Outside,
    terminal: Terminal,
    signals: Signals,
    cache: Cache,
    /// An editor has the terminal: nothing is drawn and no key is read.
    lent: bool,
    /// The terminal has vanished; this is told once.
    vanished: Option<()>,
    demo_starts: JoinSet<std::io::Result<demo::Running>>,
    demo: Option<Demo>,
    /// The program that opens for a long draft, with its arguments.
    editor: Vec<String>,
}

impl Screen {
    /// Puts the two sides together.
    pub fn new(
        outside: Outside,
        terminal: Terminal,
        signals: Signals,
        demo: Option<Demo>,
        editor: Vec<String>,
    ) -> Self {
        Self {
            outside,
            terminal,
            signals,
            cache: Cache::default(),
            lent: false,
            vanished: None,
            demo_starts: JoinSet::new(),
            demo,
            editor,
        }
    }

    /// Gives the terminal back and ends everything else.
    pub async fn shut_down(self, haste: Haste) {
        let Self {
            outside, terminal, ..
        } = self;
        drop(terminal);
        outside.shut_down(haste).await;
    }

    fn event(&self, fact: Fact) -> Event {
        Event {
            at: self.outside.clock().now(),
            fact,
        }
    }

    fn perform_on_screen(&mut self, effect: Effect) {
        match effect {
            Effect::StartDemo => drop(self.demo_starts.spawn(demo::start())),
            Effect::OpenEditor(text) => self.lend_to_editor(text),
            Effect::Ring => self.note_failure(Terminal::ring),
            Effect::Suspend => self.note_failure(Terminal::suspend),
            Effect::Redraw => self.terminal.redraw(),
            // The loop ends by itself; the rest is done after it.
            Effect::Quit(_) => {}
            Effect::SendRequest { .. }
            | Effect::AbortRequest(_)
            | Effect::CallTool(_)
            | Effect::CancelTool(_)
            | Effect::Append(_)
            | Effect::NewTranscript
            | Effect::ContinueTranscript { .. }
            | Effect::ListTranscripts
            | Effect::LoadTranscript { .. }
            | Effect::StartTimer { .. }
            | Effect::StopTimer(_)
            | Effect::StartServers => {
                debug_assert!(false, "the outside does this");
            }
        }
    }

    fn lend_to_editor(&mut self, text: String) {
        self.terminal.lend();
        self.lent = true;
        let (way_in, clock) = (self.outside.way_in(), self.outside.clock());
        let command = self.editor.clone();
        tokio::spawn(async move {
            let edited = editor::edit(&command, &std::env::temp_dir(), &text).await;
            let fact = Fact::EditorClosed(edited.map_err(|error| format!("{error}.")));
            let event = Event {
                at: clock.now(),
                fact,
            };
            // When nobody listens any more, the program is about to end.
            drop(way_in.send(event).await);
        });
    }

    fn note_failure(&mut self, act: impl FnOnce(&mut Terminal) -> Result<(), TerminalError>) {
        match act(&mut self.terminal) {
            // When it is stuck, the signal that stopped the wait is on its way.
            Ok(()) | Err(TerminalError::Stuck) => {}
            Err(
                TerminalError::Gone(_) | TerminalError::Setup(_) | TerminalError::NotATerminal(_),
            ) => self.vanished = Some(()),
        }
    }

    /// What came from outside may mean that the terminal is ours again.
    fn note(&mut self, event: Event) -> Event {
        if matches!(event.fact, Fact::EditorClosed(_)) && self.lent {
            self.lent = false;
            self.note_failure(Terminal::take_back);
        }
        event
    }

    fn take_demo(&mut self, started: std::io::Result<demo::Running>) -> Event {
        let notice = match started {
            Ok(running) => {
                self.outside.take_route(running.route);
                self.outside.add_server(running.server);
                self.demo = Some(running.model);
                Notice::new(Level::Info, demo::DEMO_WELCOME)
            }
            Err(error) => Notice::new(
                Level::Failure,
                format!("The demo could not be started: {error}."),
            ),
        };
        self.event(Fact::Noticed(notice))
    }
}

impl World for Screen {
    fn now(&self) -> Moment {
        self.outside.clock().now()
    }

    async fn next_event(&mut self) -> Option<Event> {
        if self.vanished.take().is_some() {
            return Some(self.event(Fact::Signalled(Signal::HangUp)));
        }
        tokio::select! {
            event = self.terminal.next() => Some(event),
            signal = self.signals.next() => Some(self.event(Fact::Signalled(signal))),
            event = self.outside.next() => event.map(|event| self.note(event)),
            Some(Ok(started)) = self.demo_starts.join_next() => Some(self.take_demo(started)),
        }
    }

    fn ready_event(&mut self) -> Option<Event> {
        if let Some(event) = self.terminal.ready() {
            return Some(event);
        }
        let event = self.outside.ready()?;
        Some(self.note(event))
    }

    fn wait_until(&self, at: Millis) -> impl Future<Output = ()> + use<> {
        wait_until(self.outside.clock(), at)
    }

    fn perform(&mut self, effect: Effect) {
        if let Some(effect) = self.outside.perform(effect) {
            self.perform_on_screen(effect);
        }
    }

    fn draw(&mut self, app: &App) -> Option<Shown> {
        if self.lent {
            return None;
        }
        #[cfg(debug_assertions)]
        fail_if_asked(app);
        let scene = app.scene(self.now());
        let mut shown = None;
        let cache = &mut self.cache;
        let drawn = self
            .terminal
            .draw(|frame| shown = Some(ui::view(&scene, cache, frame)));
        match drawn {
            Ok(()) => shown,
            // The signal that stopped the wait is on its way.
            Err(TerminalError::Stuck) => None,
            Err(
                TerminalError::Gone(_) | TerminalError::Setup(_) | TerminalError::NotATerminal(_),
            ) => {
                self.vanished = Some(());
                None
            }
        }
    }
}

/// Waits until a moment of the clock.
pub(in crate::run) fn wait_until(clock: Clock, at: Millis) -> impl Future<Output = ()> + use<> {
    let left = at.since(clock.now().mono);
    tokio::time::sleep(std::time::Duration::from_millis(left.0))
}

/// Fails in the middle of a frame when the draft says so, so that tests can see what becomes of the
/// terminal then. There is no such thing in a release build.
#[cfg(debug_assertions)]
fn fail_if_asked(app: &App) {
    assert!(app.draft() != "keytide, fail now", "asked to fail");
}
