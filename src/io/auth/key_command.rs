//! The command of the configuration that prints a key.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use crate::provider::http::plain_line;

/// A password manager may first ask for a passphrase in a window of its own.
const LIMIT: Duration = Duration::from_secs(60);

/// The command that prints the key didn't print it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the command `{command}` of `api_key_command` gave no key: {reason}")]
pub struct KeyCommandError {
    /// The command as it is configured.
    pub command: String,
    /// What went wrong.
    pub reason: String,
}

/// Runs a command without a shell and returns what it printed, trimmed.
pub(super) async fn run_key_command(command: &[String]) -> Result<String, KeyCommandError> {
    let failed = |reason: String| KeyCommandError {
        command: command.join(" "),
        reason,
    };
    let Some((program, arguments)) = command.split_first() else {
        return Err(failed("it is empty".into()));
    };
    let running = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = match timeout(LIMIT, running).await {
        Ok(Ok(output)) => output,
        Ok(Err(error)) => return Err(failed(error.to_string())),
        Err(_) => return Err(failed(format!("it took longer than {} s", LIMIT.as_secs()))),
    };
    if !output.status.success() {
        let said = plain_line(&String::from_utf8_lossy(&output.stderr));
        return Err(failed(
            format!("{} {said}", output.status).trim_end().to_owned(),
        ));
    }
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if printed.is_empty() {
        Err(failed("it printed nothing".into()))
    } else {
        Ok(printed)
    }
}
