//! A world that plays a script on a virtual clock, and a person in front of its screen.

use std::sync::Arc;
use std::time::Duration;

use keytide::agent::AgentOptions;
use keytide::app::App;
use keytide::app::effect::Effect;
use keytide::app::event::{Event, Fact};
use keytide::app::scene::{ColorDepth, Scene};
use keytide::app::servers::ServerStatus;
use keytide::app::settings::Settings;
use keytide::app::shown::Shown;
use keytide::chat::id::RequestId;
use keytide::chat::moment::{Millis, Moment, Timestamp};
use keytide::config::GateSettings;
use keytide::gate::Gate;
use keytide::gate::arming::Pauses;
use keytide::keymap::bindings::Keymap;
use keytide::keymap::key::{Key, KeyCode};
use keytide::redact::{RedactRules, Redactor};
use keytide::run::run;
use keytide::ui::{Cache, view};
use keytide::world::World;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use tokio::time::{Instant, sleep_until};

use super::script::{Piece, Script, failure, tools};

/// Somebody types with so many milliseconds between two keys.
const BETWEEN_KEYS: u64 = 50;
/// Every so many frames are compared with what a view without memory draws.
const COMPARED: usize = 5;

/// A world that plays a script.
#[derive(Debug)]
pub struct Staged {
    start: Instant,
    script: Script,
    waiting: Vec<Waiting>,
    serial: u64,
    /// Nothing is heard of what happens after this.
    horizon: u64,
    terminal: Terminal<TestBackend>,
    cache: Cache,
    /// When frames were drawn.
    pub frames: Vec<u64>,
    /// What was asked, in a word or two.
    pub asked: Vec<String>,
}

#[derive(Debug)]
struct Waiting {
    at: u64,
    serial: u64,
    /// Answers to a request are forgotten when it is dropped.
    request: Option<RequestId>,
    fact: Fact,
}

impl Staged {
    /// Makes a world. Must be called on a runtime whose clock stands still.
    pub fn new(script: Script, width: u16, height: u16) -> Self {
        Self {
            start: Instant::now(),
            script,
            waiting: Vec::new(),
            serial: 0,
            horizon: u64::MAX / 4,
            terminal: Terminal::new(TestBackend::new(width, height)).expect("a screen"),
            cache: Cache::default(),
            frames: Vec::new(),
            asked: Vec::new(),
        }
    }

    /// Lets something happen after so many milliseconds.
    pub fn after(&mut self, ms: u64, fact: Fact) {
        let at = self.ms() + ms;
        self.push(at, None, fact);
    }

    /// Changes the size of the window.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.after(0, Fact::Resized { width, height });
    }

    /// The screen as lines, blanks at their ends cut off.
    pub fn screen(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let row = |y: u16| {
            let cells = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol());
            cells.collect::<String>().trim_end().to_owned()
        };
        let rows: Vec<String> = (0..buffer.area.height).map(row).collect();
        rows.join("\n")
    }

    fn ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX) + 1_000
    }

    fn push(&mut self, at: u64, request: Option<RequestId>, fact: Fact) {
        self.serial += 1;
        let serial = self.serial;
        self.waiting.push(Waiting {
            at,
            serial,
            request,
            fact,
        });
    }

    fn next_place(&self) -> Option<usize> {
        let by_time = |place: &usize| (self.waiting[*place].at, self.waiting[*place].serial);
        (0..self.waiting.len()).min_by_key(by_time)
    }

    fn take(&mut self, place: usize) -> Event {
        let fact = self.waiting.remove(place).fact;
        Event {
            at: self.now(),
            fact,
        }
    }

    fn instant(&self, at: u64) -> Instant {
        self.start + Duration::from_millis(at.saturating_sub(1_000))
    }

    fn answer(&mut self, request: RequestId) {
        let now = self.ms();
        let Some(reply) = self.script.replies.pop_front() else {
            return;
        };
        for (after, piece) in reply.0 {
            let fact = match piece {
                Piece::Events(events) => Fact::Streamed { request, events },
                Piece::Fails(kind, message) => {
                    let (error, retry) = failure(kind, message);
                    Fact::RequestFailed {
                        request,
                        error,
                        retry,
                    }
                }
            };
            self.push(now + after, Some(request), fact);
        }
    }

    fn run_call(&mut self, id: &str) {
        if let Some((after, result)) = self.script.results.remove(id) {
            self.push(self.ms() + after, None, Fact::ToolFinished(result));
        }
    }
}

impl World for Staged {
    fn now(&self) -> Moment {
        let ms = self.ms();
        Moment {
            mono: Millis(ms),
            wall: Timestamp(1_790_000_000_000 + i64::try_from(ms).unwrap_or_default()),
        }
    }

    async fn next_event(&mut self) -> Option<Event> {
        match self.next_place() {
            Some(place) if self.waiting[place].at <= self.horizon => {
                sleep_until(self.instant(self.waiting[place].at)).await;
                Some(self.take(place))
            }
            Some(_) | None => {
                sleep_until(self.instant(self.horizon)).await;
                None
            }
        }
    }

    fn ready_event(&mut self) -> Option<Event> {
        let now = self.ms();
        let place = self
            .next_place()
            .filter(|place| self.waiting[*place].at <= now)?;
        Some(self.take(place))
    }

    fn wait_until(&self, at: Millis) -> impl Future<Output = ()> + use<> {
        sleep_until(self.instant(at.0))
    }

    fn perform(&mut self, effect: Effect) {
        let word = match effect {
            Effect::SendRequest { request, .. } => {
                self.answer(request);
                format!("send {}", request.0)
            }
            Effect::AbortRequest(request) => {
                self.waiting
                    .retain(|waiting| waiting.request != Some(request));
                format!("abort {}", request.0)
            }
            Effect::CallTool(approved) => {
                let id = approved.tool_use().id.to_string();
                self.run_call(&id);
                format!("call {id}")
            }
            Effect::CancelTool(id) => format!("cancel {id}"),
            Effect::StartTimer { timer, after } => {
                let same = |fact: &Fact| matches!(fact, Fact::TimerFired(known) if *known == timer);
                self.waiting.retain(|waiting| !same(&waiting.fact));
                self.after(after.0, Fact::TimerFired(timer));
                return;
            }
            Effect::Quit(code) => format!("quit {code}"),
            Effect::Ring => "ring".to_owned(),
            _ => return,
        };
        self.asked.push(word);
    }

    fn draw(&mut self, app: &App) -> Option<Shown> {
        self.frames.push(self.ms());
        let scene = app.scene(self.now());
        let mut shown = Shown::default();
        let cache = &mut self.cache;
        let drawn = self
            .terminal
            .draw(|frame| shown = view(&scene, cache, frame));
        let buffer = drawn.expect("it can be drawn").buffer.clone();
        if self.frames.len().is_multiple_of(COMPARED) {
            compare_with_fresh(&scene, &buffer, &shown);
        }
        Some(shown)
    }
}

/// What the view keeps from frame to frame changes nothing but time.
fn compare_with_fresh(scene: &Scene<'_>, buffer: &Buffer, shown: &Shown) {
    let mut fresh =
        Terminal::new(TestBackend::new(buffer.area.width, buffer.area.height)).expect("a screen");
    let mut shown_fresh = Shown::default();
    let drawn = fresh.draw(|frame| shown_fresh = view(scene, &mut Cache::default(), frame));
    assert_eq!(drawn.expect("it can be drawn").buffer, buffer);
    assert_eq!(&shown_fresh, shown);
}

/// A person in front of a screen.
#[derive(Debug)]
pub struct Journey {
    pub app: App,
    pub world: Staged,
}

impl Journey {
    pub fn new(script: Script, width: u16, height: u16) -> Self {
        let gate = Gate::interactive(Pauses::default());
        let mut world = Staged::new(script, width, height);
        world.after(
            0,
            Fact::ServerChanged {
                server: "s".into(),
                status: ServerStatus::Ready {
                    title: None,
                    protocol: "2025-06-18".into(),
                },
            },
        );
        world.after(
            0,
            Fact::ToolsListed {
                server: "s".into(),
                tools: tools(),
                problems: Vec::new(),
            },
        );
        Self {
            app: app(gate),
            world,
        }
    }

    /// Lets so many milliseconds pass.
    pub async fn wait(&mut self, ms: u64) {
        self.world.horizon = self.world.ms() + ms;
        run(&mut self.app, &mut self.world).await;
    }

    /// Presses a key, a while after the one before.
    pub async fn key(&mut self, key: Key) {
        self.world.after(BETWEEN_KEYS, Fact::KeyPressed(key));
        self.wait(BETWEEN_KEYS).await;
    }

    pub async fn press(&mut self, code: KeyCode) {
        self.key(Key::press(code)).await;
    }

    pub async fn type_text(&mut self, text: &str) {
        for char in text.chars() {
            self.key(Key::char(char)).await;
        }
    }

    pub async fn say(&mut self, text: &str) {
        self.type_text(text).await;
        self.press(KeyCode::Enter).await;
    }

    /// Waits until the screen is at rest, and returns it.
    pub async fn screen(&mut self) -> String {
        self.wait(20).await;
        self.world.screen()
    }
}

/// A fresh app with this gate.
pub fn app(gate: Gate) -> App {
    let settings = Settings {
        provider: "anthropic".into(),
        folder: "/home/person/tides".into(),
        theme: "auto".into(),
        colors: ColorDepth::Ansi,
        gate: GateSettings { quiet: Millis(400) },
        has_credentials: true,
        save: true,
        greetings: Vec::new(),
    };
    let options = AgentOptions {
        model: "claude-opus-5".into(),
        system: None,
        max_tokens: 32_000,
        effort: None,
        max_turns: 3,
        seed: 7,
    };
    let redactor = Redactor::new(&RedactRules::default()).expect("the rules are fine");
    App::with_gate(
        settings,
        options,
        Keymap::standard(),
        Arc::new(redactor),
        gate,
    )
}
