//! From a command line to an exit code.

mod ask;
mod commands;
mod converse;
mod doctor;

use std::io::Write;

use crate::cli::invocation::{Command, Invocation};
use crate::io::clock::Clock;
use crate::run::session::StartError;
use crate::transcript::summary::harmless;

/// Threads that carry the network and the servers; the loop has one of its own.
const WORKERS: usize = 2;

/// Runs the program and returns its exit code.
pub fn launch(invocation: &Invocation) -> u8 {
    let clock = Clock::start();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return complain(&StartError::Machine(error)),
    };
    let code = runtime.block_on(dispatch(invocation, clock));
    // A thread that still reads the keyboard must not hold the program back.
    runtime.shutdown_background();
    code
}

async fn dispatch(invocation: &Invocation, clock: Clock) -> u8 {
    let outcome = match &invocation.command {
        Command::Chat(chat) => converse::converse(invocation, chat, clock).await,
        Command::Print(print) => ask::ask(invocation, print, clock).await,
        Command::Transcripts(command) => commands::transcripts(invocation, command),
        Command::Config(command) => commands::config(invocation, *command),
        Command::Models => commands::models(invocation).await,
        Command::Doctor => doctor::doctor(invocation).await,
        Command::DemoServer => commands::demo_server().await,
    };
    outcome.unwrap_or_else(|error| complain(&error))
}

/// Says why nothing could be done; the exit code says which kind of reason it is.
fn complain(error: &StartError) -> u8 {
    // Whoever reads our output has had enough (`| head`): no fault, and nothing to say.
    if let StartError::Machine(error) = error
        && error.kind() == std::io::ErrorKind::BrokenPipe
    {
        return 0;
    }
    say_on_stderr(&format!("keytide: {error}"));
    error.exit_code()
}

fn say_on_stderr(text: &str) {
    // When stderr is closed there is nobody to tell.
    let lines: Vec<String> = text.lines().map(harmless).collect();
    drop(writeln!(std::io::stderr(), "{}", lines.join("\n")));
}
