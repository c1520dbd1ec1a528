//! The state as a scene: everything that a frame shows, borrowed.

use crate::agent::phase::{Halt, Phase};
use crate::app::App;
use crate::app::command::COMMANDS;
use crate::app::overlay::Overlay;
use crate::app::scene::{
    Busy, ContextUse, Doing, GateScene, HelpSection, Looks, Readiness, ReasonLine, Scene,
    WaitingCall,
};
use crate::chat::message::ContentBlock;
use crate::chat::moment::Moment;
use crate::gate::arming;
use crate::keymap::action::{Action, Mode};
use crate::keymap::table::TABLE;
use crate::provider::catalog::Catalog;

impl App {
    /// Returns what a frame shows at a moment.
    pub fn scene(&self, now: Moment) -> Scene<'_> {
        let options = self.agent.options();
        Scene {
            title: self.title.as_deref().unwrap_or_default(),
            model: &options.model,
            effort: options.effort.as_deref(),
            context: self.context(),
            cost: self.spend.dollars(),
            cache_hit: self.spend.cache_hit(),
            servers: &self.servers,
            items: self.feed.items(),
            queued: self.queued(),
            gate: self.gate_scene(now),
            composer: &self.composer,
            overlay: self.overlay.as_ref(),
            flashes: self.flash.iter().map(String::as_str).collect(),
            scroll: self.scroll,
            unfolded: self.unfolded,
            now,
            busy: self.busy(),
            keymap: &self.keymap,
            keys: self.working_keys(),
            help: self.help(),
            looks: Looks {
                theme: &self.settings.theme,
                colors: self.settings.colors,
            },
            saved: self.saving,
        }
    }

    fn context(&self) -> Option<ContextUse> {
        let used = self.spend.context();
        let window = Catalog::builtin()
            .model(&self.agent.options().model)?
            .window;
        (used > 0).then_some(ContextUse { used, window })
    }

    fn queued(&self) -> Vec<&str> {
        self.agent
            .queue()
            .filter_map(|blocks| blocks.iter().find_map(ContentBlock::as_text))
            .collect()
    }

    fn gate_scene(&self, now: Moment) -> Option<GateScene<'_>> {
        let gate = self.agent.gate();
        let calls: Vec<WaitingCall<'_>> = gate
            .waiting()
            .iter()
            .filter_map(|call| {
                let card = self.feed.card(call.id())?;
                Some(WaitingCall::of_card(card, call.since, &call.raised))
            })
            .collect();
        (!calls.is_empty()).then(|| GateScene {
            calls,
            focus: gate.focus(),
            readiness: self.readiness(now),
            scroll: self.gate_scroll,
            reason: self.reason.as_ref().map(|reason| ReasonLine {
                text: reason.line.lines().first().map_or("", String::as_str),
                cursor: reason.line.cursor().1,
            }),
        })
    }

    fn readiness(&self, now: Moment) -> Readiness {
        let gate = self.agent.gate();
        match gate.readiness(now.mono) {
            arming::Readiness::NotDrawn => Readiness::NotDrawn,
            arming::Readiness::StopTyping => Readiness::StopTyping,
            arming::Readiness::Armed => {
                let seen = gate.front().is_some_and(|call| gate.was_seen(call.id()));
                if seen {
                    Readiness::Armed
                } else {
                    Readiness::NeedsEnd
                }
            }
        }
    }

    fn busy(&self) -> Option<Busy<'_>> {
        let what = match self.agent.phase() {
            Phase::Idle | Phase::Halted(_) => return None,
            Phase::Streaming { draft, .. } if draft.blocks().next().is_none() => Doing::Waiting,
            Phase::Streaming { .. } => Doing::Streaming,
            Phase::AtTools(_) => Doing::AtTools,
            Phase::Retrying {
                attempt,
                until,
                error,
                ..
            } => Doing::Retrying {
                attempt: *attempt,
                until: *until,
                reason: &error.message,
            },
        };
        Some(Busy {
            since: self.turn_since,
            what,
        })
    }

    /// The keys that work right now, the most important first.
    fn working_keys(&self) -> Vec<(String, &'static str)> {
        let mode = self.mode();
        let wanted: &[(Action, &'static str)] = match mode {
            Mode::Composer => self.composer_keys(),
            // The gate has a key line of its own.
            Mode::Gate => &[(Action::Interrupt, "deny all and stop")],
            Mode::Pager => match self.overlay {
                Some(Overlay::FirstRun) => &[(Action::Close, "close")],
                _ => &[(Action::Close, "close"), (Action::PageDown, "scroll")],
            },
            Mode::List => &[(Action::Open, "open"), (Action::Close, "close")],
            Mode::Line => &[(Action::Submit, "send"), (Action::Close, "back")],
        };
        let labelled = |(action, does): &(Action, &'static str)| {
            let label = self.keymap.label(mode, *action);
            (!label.is_empty()).then_some((label, *does))
        };
        wanted.iter().filter_map(labelled).collect()
    }

    fn composer_keys(&self) -> &'static [(Action, &'static str)] {
        match self.agent.phase() {
            Phase::Streaming { .. } | Phase::Retrying { .. } => &[
                (Action::Escape, "stop"),
                (Action::Submit, "queue"),
                (Action::PageUp, "scroll"),
            ],
            Phase::AtTools(_) if self.agent.gate().waiting().is_empty() => &[
                (Action::Escape, "cancel the call"),
                (Action::Interrupt, "stop the turn"),
                (Action::Submit, "queue"),
            ],
            Phase::AtTools(_) => &[(Action::Submit, "queue"), (Action::Interrupt, "deny all")],
            Phase::Halted(halt) => halted_keys(halt),
            Phase::Idle => &[
                (Action::Submit, "send"),
                (Action::NewLine, "new line"),
                (Action::Browse, "transcripts"),
                (Action::Help, "help"),
            ],
        }
    }

    /// Only asked for while the help page is open: it walks the whole table.
    fn help(&self) -> Vec<HelpSection<'_>> {
        if !matches!(self.overlay, Some(Overlay::Help { .. })) {
            return Vec::new();
        }
        let mut sections: Vec<HelpSection<'_>> = Vec::new();
        for row in TABLE {
            let mode = row.modes.first().copied().unwrap_or(Mode::Composer);
            let line = (self.keymap.label(mode, row.action), row.does);
            match sections.last_mut() {
                Some(section) if section.heading == row.place() => section.lines.push(line),
                Some(_) | None => {
                    sections.push(HelpSection {
                        heading: row.place(),
                        lines: vec![line],
                    });
                }
            }
        }
        let line = |command: &crate::app::command::Command| {
            (
                format!("/{} {}", command.name, command.takes)
                    .trim_end()
                    .to_owned(),
                command.does,
            )
        };
        let lines = COMMANDS.iter().map(line).collect();
        sections.push(HelpSection {
            heading: "commands",
            lines,
        });
        sections
    }
}

/// What F5 does depends on why the turn waits; where asking again is no use, it isn't offered.
const fn halted_keys(halt: &Halt) -> &'static [(Action, &'static str)] {
    match halt {
        Halt::Failed(_) | Halt::Stopped | Halt::EmptyReply => &[
            (Action::AskAgain, "ask again"),
            (Action::Submit, "send"),
            (Action::Help, "help"),
        ],
        Halt::MaxTokens | Halt::TurnLimit(_) => &[
            (Action::AskAgain, "go on"),
            (Action::Submit, "send"),
            (Action::Help, "help"),
        ],
        Halt::ContextFull | Halt::Refused { .. } | Halt::NeedsApproval(_) => {
            &[(Action::Submit, "send"), (Action::Help, "help")]
        }
    }
}
