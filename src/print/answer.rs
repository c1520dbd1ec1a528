//! `-p`: one answer, then exit.

use std::io::{self, Write};

use crate::app::App;
use crate::chat::moment::Millis;
use crate::cli::invocation::OutputFormat;
use crate::print::exit::ending;
use crate::print::news::Reader;
use crate::print::{report, take_in};
use crate::world::World;

/// What is asked, and how the answer is written.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The prompt.
    pub prompt: String,
    /// How the answer is written.
    pub format: OutputFormat,
    /// How many servers are being started: all of them are waited for, up to their own limit.
    pub servers: usize,
    /// How long servers are waited for at most.
    pub patience: Millis,
}

/// Asks, writes the answer, and returns the exit code. What went wrong goes to `err`.
pub async fn answer<W: World>(
    app: &mut App,
    world: &mut W,
    ask: &Ask,
    out: &mut impl Write,
    err: &mut impl Write,
) -> io::Result<u8> {
    wait_for_servers(app, world, ask).await;
    if app.ended().is_none() {
        for effect in app.say(&ask.prompt, world.now()) {
            world.perform(effect);
        }
    }
    let mut reader = Reader::default();
    loop {
        let news = reader.read(app.feed());
        report::write_news(&news, ask.format, out)?;
        report::write_warnings(&news, err)?;
        if app.ended().is_some() || !app.agent().is_busy() {
            break;
        }
        let Some(event) = world.next_event().await else {
            break;
        };
        take_in(app, world, event);
    }
    let ending = ending(app);
    report::write_end(app, &ending, ask.format, out)?;
    if let Some(why) = report::error_text(app, &ending) {
        writeln!(err, "keytide: {why}")?;
    }
    Ok(ending.code)
}

/// The first request must carry the tools, so that they are all there when the model is asked.
async fn wait_for_servers<W: World>(app: &mut App, world: &mut W, ask: &Ask) {
    let until = world.now().mono + ask.patience;
    let is_ready = |app: &App| {
        let servers = app.servers().settled() >= ask.servers;
        app.ended().is_some() || (servers && !app.awaits_transcript())
    };
    while !is_ready(app) && world.now().mono < until {
        let deadline = world.wait_until(until);
        let event = tokio::select! {
            event = world.next_event() => event,
            () = deadline => return,
        };
        let Some(event) = event else { return };
        take_in(app, world, event);
    }
}
