//! `--plain`: the conversation line by line, with no alternate screen and no redraw. The gate is a
//! question that is answered with a typed word.

use std::io::{self, Write};

use crate::app::App;
use crate::app::event::{Event, Fact, Signal};
use crate::app::timeline::CallCard;
use crate::chat::id::ToolUseId;
use crate::gate::decision::Decision;
use crate::io::lines::StdinLines;
use crate::keymap::key::{Key, KeyCode};
use crate::print::linear::{Linear, clean, clean_for_gate, full_name};
use crate::print::news::Reader;
use crate::print::pages::open_page;
use crate::print::take_in;
use crate::world::World;

const WORDS: &str = "run, deny, deny REASON, view, stop";

/// Where typed lines come from.
pub trait Lines {
    /// Waits for the next line, without its end. Cancel-safe; nothing after the end of input.
    fn next_line(&mut self) -> impl Future<Output = Option<String>>;
}

impl Lines for StdinLines {
    fn next_line(&mut self) -> impl Future<Output = Option<String>> {
        Self::next_line(self)
    }
}

/// What a typed word says at the gate.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    Decide(Decision),
    View,
    Stop,
    Unknown,
}

/// Runs a session line by line and returns the exit code.
pub async fn converse<W: World>(
    app: &mut App,
    world: &mut W,
    lines: &mut impl Lines,
    out: &mut impl Write,
) -> io::Result<u8> {
    let mut page = Page {
        reader: Reader::default(),
        linear: Linear::default(),
        asked: None,
    };
    page.linear.line(
        "Keytide. Type a message and press Enter; /help lists commands.",
        out,
    )?;
    let mut input_over = false;
    loop {
        page.show(app, world, out)?;
        if let Some(code) = app.ended() {
            return Ok(code);
        }
        // Nobody will answer any more, but what was asked before is still answered.
        if input_over && (!app.agent().is_busy() || page.asked.is_some()) {
            end(app, world);
            continue;
        }
        tokio::select! {
            event = world.next_event() => match event {
                Some(event) => {
                    let event = stop_before_quitting(app, event);
                    take_in(app, world, event);
                }
                None => return Ok(1),
            },
            // What is typed meanwhile belongs to the conversation that is being read.
            line = lines.next_line(), if !input_over && !app.awaits_transcript() => match line {
                Some(line) => page.take_line(&line, app, world, out)?,
                None => input_over = true,
            },
        }
    }
}

/// SIGINT stops what runs first, as Ctrl+C does on the screen; with nothing running it ends the
/// program.
fn stop_before_quitting(app: &App, event: Event) -> Event {
    let interrupted = matches!(event.fact, Fact::Signalled(Signal::Interrupt));
    if interrupted && app.agent().is_busy() {
        let fact = Fact::KeyPressed(Key::ctrl('c'));
        return Event { at: event.at, fact };
    }
    event
}

/// The end of input ends the session: what waits is denied, and nothing runs that was not approved.
fn end<W: World>(app: &mut App, world: &mut W) {
    let at = world.now();
    for effect in app.leave(at) {
        world.perform(effect);
    }
}

struct Page {
    reader: Reader,
    linear: Linear,
    /// The call that the last question was about.
    asked: Option<ToolUseId>,
}

impl Page {
    fn show<W: World>(
        &mut self,
        app: &mut App,
        world: &mut W,
        out: &mut impl Write,
    ) -> io::Result<()> {
        self.linear.write(&self.reader.read(app.feed()), out)?;
        self.show_page(app, world, out)?;
        let front = app.agent().gate().front().map(|call| call.id().clone());
        if front != self.asked {
            self.asked.clone_from(&front);
            if let Some(call) = front {
                self.ask(&call, app, world, out)?;
            }
        }
        Ok(())
    }

    /// Writes an open page down and closes it: here it would only hide the conversation.
    fn show_page<W: World>(
        &mut self,
        app: &mut App,
        world: &mut W,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let at = world.now();
        let Some(lines) = open_page(app, at) else {
            return Ok(());
        };
        for line in lines {
            self.linear.line(&line, out)?;
        }
        let fact = Fact::KeyPressed(Key::press(KeyCode::Esc));
        take_in(app, world, Event { at, fact });
        out.flush()
    }

    fn ask<W: World>(
        &mut self,
        call: &ToolUseId,
        app: &mut App,
        world: &mut W,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if let Some(card) = app.feed().card(call) {
            self.linear.line(&question(card), out)?;
        }
        let raised = app.agent().gate().front().map(|call| call.raised.clone());
        for line in raised.unwrap_or_default() {
            self.linear
                .line(&format!("  Attention: {}", clean_for_gate(&line)), out)?;
        }
        self.linear.line(&format!("Run it? ({WORDS})"), out)?;
        out.flush()?;
        app.question_shown(call, world.now());
        Ok(())
    }

    fn take_line<W: World>(
        &mut self,
        line: &str,
        app: &mut App,
        world: &mut W,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let at = world.now();
        if self.asked.is_none() {
            for effect in app.enter_line(line, at) {
                world.perform(effect);
            }
            return Ok(());
        }
        match word(line) {
            Word::Decide(decision) => match app.answer_line(decision, at) {
                Some(effects) => effects.into_iter().for_each(|effect| world.perform(effect)),
                None => self
                    .linear
                    .line("That came too soon; type it again.", out)?,
            },
            Word::View => self.asked = None,
            Word::Stop => {
                let fact = Fact::KeyPressed(Key::ctrl('c'));
                take_in(app, world, Event { at, fact });
            }
            Word::Unknown => {
                self.linear.line(&format!("Type one of: {WORDS}"), out)?;
            }
        }
        Ok(())
    }
}

fn question(card: &CallCard) -> String {
    let (place, of) = card.place;
    let title = card
        .title
        .as_ref()
        .map(|title| format!(" ({})", clean(title)));
    format!(
        "The model wants to call {}{} (call {place} of {of}) with:\n{}",
        full_name(card),
        title.unwrap_or_default(),
        clean_for_gate(&card.arguments)
    )
}

fn word(line: &str) -> Word {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (first, rest.trim()) {
        ("run", "") => Word::Decide(Decision::Run),
        ("deny", "") => Word::Decide(Decision::Deny),
        ("deny", reason) => Word::Decide(Decision::DenyBecause(reason.to_owned())),
        ("view", "") => Word::View,
        ("stop", "") => Word::Stop,
        _ => Word::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_decide() {
        assert_eq!(word(" run "), Word::Decide(Decision::Run));
        assert_eq!(word("deny"), Word::Decide(Decision::Deny));
        assert_eq!(
            word("deny use read only"),
            Word::Decide(Decision::DenyBecause("use read only".into()))
        );
        for line in ["", "y", "yes", "RUN", "run it", "r", "\u{200b}run"] {
            assert_eq!(word(line), Word::Unknown, "{line:?}");
        }
    }
}
