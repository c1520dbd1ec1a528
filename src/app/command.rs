//! Commands that begin with a slash: one table for the parser, help and completion.

use crate::agent::phase::Phase;
use crate::app::App;
use crate::app::effect::Effect;
use crate::app::notice::{Level, Notice};
use crate::app::overlay::Overlay;
use crate::provider::catalog::Catalog;

/// One command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Its name, without the slash.
    pub name: &'static str,
    /// What follows it, for help.
    pub takes: &'static str,
    /// What it does, in a few words.
    pub does: &'static str,
    verb: Verb,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Help,
    Model,
    Effort,
    Mcp,
    Tools,
    Transcripts,
    New,
    Fork,
    Cost,
    Quit,
}

const fn command(
    name: &'static str,
    takes: &'static str,
    does: &'static str,
    verb: Verb,
) -> Command {
    Command {
        name,
        takes,
        does,
        verb,
    }
}

/// Every command, in the order in which help lists them.
pub const COMMANDS: &[Command] = &[
    command("help", "", "keys and commands", Verb::Help),
    command("model", "[NAME]", "show or change the model", Verb::Model),
    command(
        "effort",
        "[LEVEL]",
        "show or change how much effort the model puts in",
        Verb::Effort,
    ),
    command(
        "mcp",
        "",
        "the servers, and why some are not there",
        Verb::Mcp,
    ),
    command(
        "tools",
        "",
        "the tools that the model is offered",
        Verb::Tools,
    ),
    command(
        "transcripts",
        "",
        "browse the transcripts",
        Verb::Transcripts,
    ),
    command("new", "", "begin a new conversation", Verb::New),
    command(
        "fork",
        "",
        "go on in a copy of this conversation",
        Verb::Fork,
    ),
    command("cost", "", "tokens and cost so far", Verb::Cost),
    command("quit", "", "quit", Verb::Quit),
];

impl App {
    pub(in crate::app) fn run_command(&mut self, typed: &str, out: &mut Vec<Effect>) {
        let line = typed.trim_start_matches('/');
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
            self.unknown_command(name, out);
            return;
        };
        self.composer.take();
        let rest = rest.trim();
        match command.verb {
            Verb::Help => self.overlay = Some(Overlay::Help { scroll: 0 }),
            Verb::Model => self.change_model(rest),
            Verb::Effort => self.change_effort(rest),
            Verb::Mcp => self.overlay = Some(Overlay::Servers { scroll: 0 }),
            Verb::Tools => self.list_tools(),
            Verb::Transcripts => self.open_browser(out),
            Verb::New => self.when_idle(Self::begin_anew, out),
            Verb::Fork => self.when_idle(Self::fork, out),
            Verb::Cost => self.tell_cost(),
            Verb::Quit => self.quit(0, out),
        }
    }

    /// The draft stays, so that a slip of the finger costs nothing.
    fn unknown_command(&mut self, name: &str, out: &mut Vec<Effect>) {
        let near = COMMANDS
            .iter()
            .map(|command| (strsim::osa_distance(command.name, name), command.name))
            .min()
            .filter(|(distance, _)| *distance <= 2)
            .map(|(_, near)| format!(" Did you mean `/{near}`?"))
            .unwrap_or_default();
        self.flash(
            format!("There is no command `/{name}`.{near} `/help` lists them."),
            out,
        );
    }

    fn when_idle(&mut self, act: fn(&mut Self, &mut Vec<Effect>), out: &mut Vec<Effect>) {
        match self.agent.phase() {
            Phase::Idle | Phase::Halted(_) => act(self, out),
            Phase::Streaming { .. } | Phase::Retrying { .. } | Phase::AtTools(_) => {
                self.flash("Stop the turn first (Ctrl+C).", out);
            }
        }
    }

    fn change_model(&mut self, name: &str) {
        if name.is_empty() {
            let known: Vec<&str> = Catalog::builtin()
                .models()
                .iter()
                .map(|facts| facts.id.as_str())
                .collect();
            let text = format!("The model is `{}`.", self.agent.options().model);
            self.say_to_person(text, known.iter().map(|id| (*id).to_owned()).collect());
            return;
        }
        let bare = name
            .strip_prefix(&format!("{}/", self.settings.provider))
            .unwrap_or(name);
        bare.clone_into(&mut self.agent.options_mut().model);
        self.say_to_person(format!("The next request goes to `{bare}`."), Vec::new());
    }

    fn change_effort(&mut self, level: &str) {
        let text = if level.is_empty() {
            let effort = self
                .agent
                .options()
                .effort
                .as_deref()
                .unwrap_or("the model's own");
            format!("The effort is {effort}.")
        } else {
            self.agent.options_mut().effort = Some(level.to_owned());
            format!("The next request asks for effort `{level}`.")
        };
        self.say_to_person(text, Vec::new());
    }

    fn list_tools(&mut self) {
        let specs = self.agent.toolbox().specs();
        let lines: Vec<String> = specs.iter().map(|spec| spec.name.to_string()).collect();
        let text = format!("The model is offered {} tools.", lines.len());
        self.say_to_person(text, lines);
    }

    fn fork(&mut self, out: &mut Vec<Effect>) {
        match self.transcript.clone() {
            Some(id) => {
                out.push(Effect::ContinueTranscript { id, fork: true });
            }
            None => self.flash("Nothing has been saved yet.", out),
        }
    }

    fn tell_cost(&mut self) {
        let total = self.spend.total;
        let dollars = self.spend.dollars().map_or_else(
            || "at an unknown price".to_owned(),
            |cost| format!("${cost:.4}"),
        );
        let text = format!("{} requests, {dollars}.", self.spend.requests());
        let lines = vec![
            format!("input, not cached    {:>10}", total.input),
            format!("read from the cache  {:>10}", total.cache_read),
            format!("written to the cache {:>10}", total.cache_write),
            format!("output               {:>10}", total.output),
        ];
        self.say_to_person(text, lines);
    }

    fn say_to_person(&mut self, text: String, details: Vec<String>) {
        self.feed.notice(Notice {
            level: Level::Info,
            text,
            details,
        });
        self.scroll_to_end();
    }
}
