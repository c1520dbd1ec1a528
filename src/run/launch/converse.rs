//! A conversation: on the whole screen, or line by line.

use std::io::{self, Write};

use crate::app::App;
use crate::app::effect::Effect;
use crate::app::notice::{Level, Notice};
use crate::cli::invocation::{Chat, Invocation};
use crate::io::clock::Clock;
use crate::io::lines::StdinLines;
use crate::io::outside::Haste;
use crate::io::terminal::modes::{self, Modes};
use crate::io::terminal::signals::Signals;
use crate::io::terminal::{Terminal, TerminalError};
use crate::print::plain;
use crate::run::demo::DEMO_WELCOME;
use crate::run::run;
use crate::run::screen::Screen;
use crate::run::session::{Resume, Session, StartError, prepare};
use crate::run::without_screen::WithoutScreen;
use crate::world::World;

pub(super) async fn converse(
    invocation: &Invocation,
    chat: &Chat,
    clock: Clock,
) -> Result<u8, StartError> {
    let term = std::env::vars_os()
        .find(|(name, _)| name == "TERM")
        .map(|(_, value)| value);
    let dumb = term.is_some_and(|term| term == "dumb");
    if chat.plain || dumb {
        return plainly(invocation, clock).await;
    }
    modes::require_terminal().map_err(|error| machine(&error))?;
    modes::install_panic_hook();
    let Session {
        mut app,
        outside,
        demo,
        resume,
        editor,
        ..
    } = prepare(invocation, clock).await?;
    let signals = Signals::listen()?;
    let modes = Modes {
        enhanced_keys: true,
    };
    let terminal = Terminal::enter(modes, clock).map_err(|error| machine(&error))?;
    welcome(&mut app, demo.is_some());
    let mut screen = Screen::new(outside, terminal, signals, demo, editor);
    begin(&mut app, &mut screen, resume);
    let code = run(&mut app, &mut screen).await;
    screen.shut_down(Haste::of(code)).await;
    farewell(&app);
    Ok(code)
}

async fn plainly(invocation: &Invocation, clock: Clock) -> Result<u8, StartError> {
    let Session {
        mut app,
        outside,
        demo,
        resume,
        ..
    } = prepare(invocation, clock).await?;
    let signals = Signals::listen()?;
    welcome(&mut app, demo.is_some());
    let mut world = WithoutScreen::new(outside, signals, demo);
    begin(&mut app, &mut world, resume);
    let mut lines = StdinLines::start();
    let code = plain::converse(&mut app, &mut world, &mut lines, &mut io::stdout()).await;
    // A pipe that was closed ends the conversation too, and its servers with it.
    world
        .shut_down(Haste::of(*code.as_ref().unwrap_or(&129)))
        .await;
    farewell(&app);
    Ok(code?)
}

/// Tells a newcomer what the demo is and what to type.
fn welcome(app: &mut App, is_demo: bool) {
    if is_demo {
        app.tell_person(Notice::new(Level::Info, DEMO_WELCOME));
    }
}

/// Starts the servers and opens what the conversation goes on from; both in the background.
fn begin<W: World>(app: &mut App, world: &mut W, resume: Resume) {
    world.perform(Effect::StartServers);
    let at = world.now();
    let effects = match resume {
        Resume::Fresh => Vec::new(),
        Resume::Transcript { id, fork } => app.resume_from(id, fork, at),
        Resume::Browse { fork } => app.browse_to_resume(fork, at),
    };
    for effect in effects {
        world.perform(effect);
    }
}

/// Says how to come back, on the screen that the person had before.
fn farewell(app: &App) {
    if let Some(id) = app.transcript().filter(|_| modes::takes_output()) {
        drop(writeln!(
            io::stdout(),
            "To go on with this conversation: keytide -r {id}"
        ));
    }
}

fn machine(error: &TerminalError) -> StartError {
    StartError::Machine(io::Error::other(error.to_string()))
}
