//! The command line: from words to an [`Invocation`], plain data for `main`.

pub mod config_command;
pub mod doctor;
mod flags;
pub mod invocation;
mod server_script;
pub mod settings;
#[cfg(test)]
mod tests;

use std::ffi::OsString;

use clap::{CommandFactory, Parser};

use crate::cli::flags::Flags;
use crate::cli::invocation::Invocation;

/// Words that don't make an invocation, or a request for help or the version.
#[derive(Debug)]
pub struct UsageError(clap::Error);

impl UsageError {
    /// Returns 2 for a mistake, 0 for help and version.
    pub fn exit_code(&self) -> u8 {
        u8::try_from(self.0.exit_code()).unwrap_or(2)
    }

    /// Prints help and version to stdout, mistakes to stderr.
    ///
    /// # Errors
    ///
    /// When the stream is closed.
    pub fn print(&self) -> std::io::Result<()> {
        self.0.print()
    }

    /// Returns what would be printed, without colours.
    pub fn text(&self) -> String {
        self.0.render().to_string()
    }
}

/// Reads the command line, the program's name first.
///
/// # Errors
///
/// A [`UsageError`] to print and to exit with.
pub fn parse_args(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> Result<Invocation, UsageError> {
    Flags::try_parse_from(args)
        .and_then(|flags| {
            flags
                .into_invocation()
                .map_err(|mistake| Flags::command().error(mistake.kind, mistake.text))
        })
        .map_err(UsageError)
}
