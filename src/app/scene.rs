//! Everything that a frame shows, borrowed from the state: what the view reads.
//!
//! Text in here has passed the redactor; it has not been cleaned of control characters, which is
//! the view's own work.

use crate::app::composer::Composer;
use crate::app::overlay::Overlay;
use crate::app::scroll::Scroll;
use crate::app::servers::Servers;
use crate::app::timeline::{CallCard, Item};
use crate::chat::id::{ServerName, ToolName, ToolUseId};
use crate::chat::listing::ToolHints;
use crate::chat::moment::{Millis, Moment};
use crate::keymap::bindings::Keymap;

/// What a frame shows.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The conversation's title; empty before the first message.
    pub title: &'a str,
    /// The model's id.
    pub model: &'a str,
    /// How much effort the model puts in, in its provider's word.
    pub effort: Option<&'a str>,
    /// How full the context window is.
    pub context: Option<ContextUse>,
    /// What the conversation has cost so far, in US dollars.
    pub cost: Option<f64>,
    /// The part of the input that came from the prompt cache, from 0 to 1.
    pub cache_hit: Option<f64>,
    /// The servers and their states.
    pub servers: &'a Servers,
    /// The conversation and what happened around it, in order; ids grow.
    pub items: &'a [Item],
    /// Messages that wait until the turn is over, oldest first, that are not among the items.
    pub queued: Vec<&'a str>,
    /// The gate, while a call waits.
    pub gate: Option<GateScene<'a>>,
    /// Where the person writes.
    pub composer: &'a Composer,
    /// What lies over the conversation.
    pub overlay: Option<&'a Overlay>,
    /// Lines above the composer that pass by themselves (`press Ctrl+C again to quit`).
    pub flashes: Vec<&'a str>,
    /// Where the reader is and wants to go.
    pub scroll: Scroll,
    /// Details (thinking, arguments, results) are shown in full.
    pub unfolded: bool,
    /// When the frame is drawn; what ticks is measured against it.
    pub now: Moment,
    /// What the model side does, while it does something.
    pub busy: Option<Busy<'a>>,
    /// How keys are written where the view names one: at the gate and in open layers.
    pub keymap: &'a Keymap,
    /// The keys that work right now: (key, what it does), the most important first.
    pub keys: Vec<(String, &'a str)>,
    /// What the help page says besides the keys: commands.
    pub help: Vec<HelpSection<'a>>,
    /// Looks.
    pub looks: Looks<'a>,
    /// The conversation is being written to the disk.
    pub saved: bool,
}

/// A part of the help page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpSection<'a> {
    /// What the lines have in common.
    pub heading: &'a str,
    /// A command, and what it does.
    pub lines: Vec<(String, &'a str)>,
}

/// How full the context window is, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextUse {
    /// Size of the last prompt and its reply.
    pub used: u64,
    /// Size of the model's window.
    pub window: u64,
}

/// What the model side does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy<'a> {
    /// Since when the turn runs.
    pub since: Millis,
    /// What it does.
    pub what: Doing<'a>,
}

/// What the model side does right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing<'a> {
    /// Nothing of the reply has come yet.
    Waiting,
    /// The reply arrives.
    Streaming,
    /// Calls run or wait at the gate.
    AtTools,
    /// The last attempt failed; another one follows.
    Retrying {
        /// Which attempt the next one is, from 2.
        attempt: u32,
        /// When it is made.
        until: Millis,
        /// Why the last one failed.
        reason: &'a str,
    },
}

/// How things look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Looks<'a> {
    /// `auto`, `dark`, `light`, `ansi` or `none`.
    pub theme: &'a str,
    /// How many colours the terminal has.
    pub colors: ColorDepth,
}

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ColorDepth {
    /// None at all, or none wanted (`NO_COLOR`).
    None,
    /// The sixteen of the terminal's own palette.
    #[default]
    Ansi,
    /// 256.
    Indexed,
    /// 24 bits.
    True,
}

/// The gate as it is shown while at least one call waits.
#[derive(Debug)]
pub struct GateScene<'a> {
    /// The calls that wait, in the order asked; never empty.
    pub calls: Vec<WaitingCall<'a>>,
    /// Which of them the keys are about.
    pub focus: usize,
    /// Whether keys decide.
    pub readiness: Readiness,
    /// First line of the arguments that is shown.
    pub scroll: usize,
    /// The reason of a denial, while it is being written.
    pub reason: Option<ReasonLine<'a>>,
}

/// A call that waits at the gate.
#[derive(Debug, Clone)]
pub struct WaitingCall<'a> {
    /// Which call.
    pub id: &'a ToolUseId,
    /// The name that the model used.
    pub public_name: &'a ToolName,
    /// The server that has the tool.
    pub server: Option<&'a ServerName>,
    /// The server's own name of the tool.
    pub tool: &'a str,
    /// The server's title for it.
    pub title: Option<&'a str>,
    /// What the server claims about it.
    pub hints: ToolHints,
    /// The arguments as indented JSON, redacted.
    pub arguments: &'a str,
    /// At the gate since then.
    pub since: Millis,
    /// Why the call is raised, one sentence each; empty when it isn't.
    pub raised: &'a [String],
    /// Its place among the calls of its reply: (from 1, how many).
    pub place: (usize, usize),
}

impl<'a> WaitingCall<'a> {
    /// Shows the call of a card.
    pub fn of_card(card: &'a CallCard, since: Millis, raised: &'a [String]) -> Self {
        Self {
            id: &card.id,
            public_name: &card.public_name,
            server: card.server.as_ref(),
            tool: &card.tool,
            title: card.title.as_deref(),
            hints: card.hints,
            arguments: &card.arguments,
            since,
            raised,
            place: card.place,
        }
    }
}

/// Whether the gate takes keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// The call has not been drawn yet.
    NotDrawn,
    /// Keys are still being typed; it waits for a pause.
    StopTyping,
    /// It takes keys.
    Armed,
    /// It takes keys, but the call must be seen to its end before it can run.
    NeedsEnd,
    /// It takes keys; the call is raised and had its first press.
    PressAgain,
}

/// The reason of a denial while it is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonLine<'a> {
    /// The text so far.
    pub text: &'a str,
    /// How many characters are before the cursor.
    pub cursor: usize,
}
