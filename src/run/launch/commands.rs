//! The commands that are no conversation.

use std::io::{self, Write};

use crate::cli::config_command;
use crate::cli::invocation::{ConfigCommand, Invocation, TranscriptsCommand};
use crate::demo;
use crate::io::http::Http;
use crate::io::places::Places;
use crate::io::store::library::Library;
use crate::io::store::report;
use crate::provider::anthropic::Anthropic;
use crate::run::launch::say_on_stderr;
use crate::run::session::{Ground, StartError, config_file};

pub(super) fn transcripts(
    invocation: &Invocation,
    command: &TranscriptsCommand,
) -> Result<u8, StartError> {
    let places = Places::find(invocation.common.data_dir.as_deref())?;
    let library = Library::new(places.data);
    let lines = match command {
        TranscriptsCommand::List => Ok(report::list(&library)),
        TranscriptsCommand::Show { id } => report::show(&library, id),
        TranscriptsCommand::Path { id } => {
            report::path(&library, id.as_deref()).map(|path| vec![path])
        }
    };
    Ok(print_lines(lines)?)
}

pub(super) fn config(invocation: &Invocation, command: ConfigCommand) -> Result<u8, StartError> {
    let places = Places::find(invocation.common.data_dir.as_deref())?;
    let answer = config_command::run(command, &config_file(invocation, &places));
    if !answer.out.is_empty() {
        write!(io::stdout(), "{}", answer.out)?;
    }
    if !answer.err.is_empty() {
        say_on_stderr(answer.err.trim_end());
    }
    Ok(answer.code)
}

pub(super) async fn models(invocation: &Invocation) -> Result<u8, StartError> {
    let ground = Ground::read(invocation)?;
    let endpoint = match ground.route().endpoint().await {
        Ok(endpoint) => endpoint,
        Err(error) => return Ok(print_lines(Err(error.message))?.max(3)),
    };
    let dialect = Anthropic::new(endpoint.version);
    let listed = Http::default().list_models(&dialect, &endpoint).await;
    let lines = listed
        .map(|models| {
            models
                .iter()
                .map(|model| format!("{}  {}", model.id, model.display_name))
                .collect()
        })
        .map_err(|error| error.message);
    Ok(print_lines(lines)?)
}

pub(super) async fn demo_server() -> Result<u8, StartError> {
    demo::server::serve_stdio().await?;
    Ok(0)
}

/// Prints the lines, or why there are none.
fn print_lines(lines: Result<Vec<String>, String>) -> io::Result<u8> {
    match lines {
        Ok(lines) => {
            let mut out = io::stdout().lock();
            for line in lines {
                writeln!(out, "{line}")?;
            }
            Ok(0)
        }
        Err(why) => {
            say_on_stderr(&format!("keytide: {why}"));
            Ok(1)
        }
    }
}
