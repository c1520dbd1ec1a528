//! A stage for frames: a scene that can be set up in a few lines, and a screen to look at.

use std::fmt::Write as _;

use ratatui::Terminal;
use ratatui::backend::{Backend as _, TestBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier};

use crate::app::composer::Composer;
use crate::app::notice::{Level, Notice};
use crate::app::overlay::Overlay;
use crate::app::scene::{
    Busy, ColorDepth, ContextUse, GateScene, Looks, Readiness, ReasonLine, Scene, WaitingCall,
};
use crate::app::scroll::Scroll;
use crate::app::servers::Servers;
use crate::app::shown::Shown;
use crate::app::timeline::{CallCard, CallState, Item, ItemBody, ItemId, ShownPart};
use crate::chat::id::{ServerName, ToolName, ToolUseId};
use crate::chat::listing::ToolHints;
use crate::chat::moment::{Millis, Moment, Timestamp};
use crate::chat::tool::{Audience, ToolOutcome};
use crate::keymap::bindings::Keymap;
use crate::redact::{RedactRules, Redacted, Redactor};
use crate::ui::{Cache, view};

/// Everything that a scene borrows from.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
    pub(crate) servers: Servers,
    pub(crate) composer: Composer,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) queued: Vec<String>,
    pub(crate) flashes: Vec<String>,
    pub(crate) scroll: Scroll,
    pub(crate) unfolded: bool,
    pub(crate) now: u64,
    pub(crate) busy: Option<Busy<'static>>,
    pub(crate) keymap: Keymap,
    pub(crate) gate: Option<(usize, Readiness, usize)>,
    pub(crate) reason: Option<(String, usize)>,
    pub(crate) raised: Vec<String>,
    pub(crate) colors: ColorDepth,
    pub(crate) saved: bool,
    pub(crate) cache: Cache,
}

impl Default for Stage {
    fn default() -> Self {
        Self {
            title: "Tides at Dover".into(),
            items: Vec::new(),
            servers: Servers::default(),
            composer: Composer::default(),
            overlay: None,
            queued: Vec::new(),
            flashes: Vec::new(),
            scroll: Scroll::default(),
            unfolded: false,
            now: 60_000,
            busy: None,
            keymap: Keymap::standard(),
            gate: None,
            reason: None,
            raised: Vec::new(),
            colors: ColorDepth::Ansi,
            saved: true,
            cache: Cache::default(),
        }
    }
}

/// A drawn frame.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) buffer: Buffer,
    pub(crate) shown: Shown,
    pub(crate) cursor: Option<Position>,
}

pub(crate) fn redacted(text: &str) -> Redacted<String> {
    Redactor::new(&RedactRules::default()).unwrap().text(text)
}

impl Stage {
    pub(crate) fn push(&mut self, body: ItemBody) -> &mut Self {
        let id = ItemId(self.items.len() as u64 + 1);
        self.items.push(Item {
            id,
            version: 0,
            body,
        });
        self
    }

    pub(crate) fn person(&mut self, text: &str) -> &mut Self {
        self.push(ItemBody::Person {
            text: redacted(text),
            queued: false,
        })
    }

    pub(crate) fn reply(&mut self, source: &str, whole: bool) -> &mut Self {
        self.push(ItemBody::Reply {
            source: redacted(source),
            whole,
        })
    }

    pub(crate) fn thinking(&mut self, text: &str, whole: bool) -> &mut Self {
        self.push(ItemBody::Thinking {
            text: redacted(text),
            whole,
        })
    }

    pub(crate) fn notice(&mut self, level: Level, text: &str) -> &mut Self {
        self.push(ItemBody::Notice(Notice::new(level, text)))
    }

    pub(crate) fn call(&mut self, card: CallCard) -> &mut Self {
        self.push(ItemBody::Call(Box::new(card)))
    }

    /// Changes the last item's reply.
    pub(crate) fn grow(&mut self, more: &str) {
        let last = self.items.last_mut().unwrap();
        last.version += 1;
        if let ItemBody::Reply { source, .. } = &mut last.body {
            source.push(&redacted(more));
        }
    }

    pub(crate) fn draw(&mut self, width: u16, height: u16) -> Picture {
        let mut cache = std::mem::take(&mut self.cache);
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut shown = Shown::default();
        let scene = self.scene();
        let frame = terminal.draw(|frame| shown = view(&scene, &mut cache, frame));
        let buffer = frame.unwrap().buffer.clone();
        let visible = terminal.backend().cursor_visible();
        let cursor = visible.then(|| terminal.backend_mut().get_cursor_position().unwrap());
        self.cache = cache;
        Picture {
            buffer,
            shown,
            cursor,
        }
    }

    /// Draws, and takes in what was shown as the state does.
    pub(crate) fn settle(&mut self, width: u16, height: u16) -> Picture {
        let picture = self.draw(width, height);
        self.scroll.settle(&picture.shown);
        picture
    }

    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene {
            title: &self.title,
            model: "claude-opus-5",
            effort: Some("high"),
            context: Some(ContextUse {
                used: 23_400,
                window: 200_000,
            }),
            cost: Some(0.42),
            cache_hit: Some(0.87),
            servers: &self.servers,
            items: &self.items,
            queued: self.queued.iter().map(String::as_str).collect(),
            gate: self.gate(),
            composer: &self.composer,
            overlay: self.overlay.as_ref(),
            flashes: self.flashes.iter().map(String::as_str).collect(),
            scroll: self.scroll,
            unfolded: self.unfolded,
            now: Moment {
                mono: Millis(self.now),
                wall: Timestamp(1_790_000_000_000),
            },
            busy: self.busy,
            keymap: &self.keymap,
            keys: vec![
                ("Enter".into(), "send"),
                ("Ctrl+J".into(), "new line"),
                ("?".into(), "help"),
                ("Ctrl+O".into(), "details"),
            ],
            help: Vec::new(),
            looks: Looks {
                theme: "auto",
                colors: self.colors,
            },
            saved: self.saved,
        }
    }

    fn gate(&self) -> Option<GateScene<'_>> {
        let (focus, readiness, scroll) = self.gate?;
        let calls = self
            .items
            .iter()
            .filter_map(|item| match &item.body {
                ItemBody::Call(card) => match card.state {
                    CallState::Waiting(since) => {
                        Some(WaitingCall::of_card(card, since, &self.raised))
                    }
                    CallState::Running { .. } | CallState::Ended { .. } => None,
                },
                ItemBody::Person { .. }
                | ItemBody::Reply { .. }
                | ItemBody::Thinking { .. }
                | ItemBody::Preparing { .. }
                | ItemBody::Other { .. }
                | ItemBody::Notice(_) => None,
            })
            .collect();
        Some(GateScene {
            calls,
            focus,
            readiness,
            scroll,
            reason: self.reason.as_ref().map(|(text, cursor)| ReasonLine {
                text,
                cursor: *cursor,
            }),
        })
    }
}

/// A call of `files › read_file`.
pub(crate) fn card(id: &str, state: CallState) -> CallCard {
    CallCard {
        id: ToolUseId::from(id),
        public_name: ToolName::from("files__read_file"),
        server: Some(ServerName::from("files")),
        tool: "read_file".into(),
        title: Some("Read a file".into()),
        hints: ToolHints {
            read_only: Some(true),
            ..ToolHints::default()
        },
        arguments: redacted("{\n  \"path\": \"/srv/tides/dover.csv\",\n  \"lines\": 20\n}"),
        state,
        result: Vec::new(),
        place: (1, 1),
    }
}

pub(crate) fn waiting(id: &str) -> CallCard {
    card(id, CallState::Waiting(Millis(48_000)))
}

pub(crate) fn done(id: &str, result: &str) -> CallCard {
    let state = CallState::Ended {
        outcome: ToolOutcome::Succeeded,
        took: Millis(340),
    };
    CallCard {
        result: vec![ShownPart::Text {
            text: redacted(result),
            audience: Audience::Everybody,
        }],
        ..card(id, state)
    }
}

impl Picture {
    /// The screen as text, trailing blanks gone.
    pub(crate) fn text(&self) -> String {
        let lines: Vec<String> = self.rows().map(|row| row.trim_end().to_owned()).collect();
        lines.join("\n")
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = String> {
        let area = self.buffer.area;
        (area.top()..area.bottom()).map(move |y| {
            let mut row = String::new();
            let mut skip = 0;
            for x in area.left()..area.right() {
                let symbol = self.buffer[(x, y)].symbol();
                if skip == 0 {
                    row.push_str(symbol);
                    skip = crate::ui::text::width(symbol).saturating_sub(1);
                } else {
                    skip -= 1;
                }
            }
            row
        })
    }

    /// The screen with its styles: below each line, a letter for every cell that is not plain.
    pub(crate) fn with_styles(&self) -> String {
        let area = self.buffer.area;
        let mut out = String::new();
        for (y, row) in (area.top()..area.bottom()).zip(self.rows()) {
            let styles: String = (area.left()..area.right())
                .map(|x| letter(&self.buffer[(x, y)]))
                .collect();
            writeln!(out, "|{}", row.trim_end()).unwrap();
            if !styles.trim().is_empty() {
                writeln!(out, ":{}", styles.trim_end()).unwrap();
            }
        }
        let cursor = self.cursor.map(|at| (at.x, at.y));
        writeln!(out, "cursor {cursor:?}").unwrap();
        out
    }
}

fn letter(cell: &ratatui::buffer::Cell) -> char {
    if cell.modifier.contains(Modifier::REVERSED) {
        return 'R';
    }
    match (cell.fg, cell.modifier.contains(Modifier::BOLD)) {
        (Color::Red, _) => 'r',
        (Color::Yellow, _) => 'y',
        (Color::Cyan, false) => 'c',
        (Color::Cyan, true) => 'C',
        (_, true) => 'B',
        (_, false) if cell.modifier.contains(Modifier::DIM) => 'd',
        (_, false) if cell.modifier.contains(Modifier::UNDERLINED) => 'u',
        (_, false) => ' ',
    }
}
