//! What lies over the conversation on a screen, as lines: help, servers, transcripts, the first run.

use crate::app::App;
use crate::app::command::COMMANDS;
use crate::app::overlay::Overlay;
use crate::app::servers::{ServerEntry, ServerStatus, Servers};
use crate::chat::moment::Moment;
use crate::print::linear::clean;
use crate::transcript::summary::Summary;

/// So many transcripts are listed; the command line lists all.
const MOST: usize = 20;

/// Returns the page that is open, once it is known what stands on it.
pub(in crate::print) fn open_page(app: &App, now: Moment) -> Option<Vec<String>> {
    match app.scene(now).overlay? {
        Overlay::Help { .. } => Some(help()),
        Overlay::Servers { .. } => Some(servers(app.servers())),
        Overlay::Browser(browser) => browser.list.as_deref().map(transcripts),
        Overlay::FirstRun => Some(first_run()),
        Overlay::Call { .. } => Some(Vec::new()),
    }
}

fn help() -> Vec<String> {
    let mut lines = vec!["Commands:".to_owned()];
    lines.extend(COMMANDS.iter().map(|command| {
        let typed = format!("/{} {}", command.name, command.takes);
        format!("  {}: {}", typed.trim_end(), command.does)
    }));
    lines.push("When a call waits, type run, deny, deny REASON, view or stop.".to_owned());
    lines
}

fn servers(servers: &Servers) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (name, entry) in servers.iter() {
        lines.push(format!("{}: {}", clean(name.as_str()), state(entry)));
        if let ServerStatus::Failed(failure) = &entry.status {
            lines.push(format!("  {}", clean(&failure.reason)));
            lines.extend(
                failure
                    .stderr
                    .iter()
                    .map(|line| format!("  {}", clean(line))),
            );
        }
    }
    if lines.is_empty() {
        lines.push("No server is configured.".to_owned());
    }
    lines
}

fn state(entry: &ServerEntry) -> String {
    match &entry.status {
        ServerStatus::Starting => "starting".to_owned(),
        ServerStatus::Slow { seconds } => {
            format!("not ready after {seconds} s, still starting")
        }
        ServerStatus::Ready { .. } => format!("ready, tools: {}", entry.tools),
        ServerStatus::Failed(_) => "not there".to_owned(),
        ServerStatus::Disabled => "switched off".to_owned(),
    }
}

fn transcripts(list: &[Summary]) -> Vec<String> {
    let row = |summary: &Summary| format!("  {}  {}", summary.id, clean(&summary.title));
    let mut lines: Vec<String> = list.iter().take(MOST).map(row).collect();
    lines.push("To go on with one: keytide --plain -r ID".to_owned());
    lines
}

fn first_run() -> Vec<String> {
    vec![
        "There is no API key yet, so there is no model to talk to. Set ANTHROPIC_API_KEY and start \
         again, or try keytide --plain --demo."
            .to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::{help, servers};
    use crate::app::servers::{ServerFailure, ServerStatus, Servers};
    use crate::chat::id::ServerName;

    #[test]
    fn help_names_every_command_and_every_word_of_the_gate() {
        let lines = help().join("\n");
        for word in ["/help:", "/model [NAME]:", "/quit:", "deny REASON", "stop"] {
            assert!(lines.contains(word), "{word} is not in {lines}");
        }
    }

    #[test]
    fn a_server_that_is_not_there_says_why_and_nothing_that_acts_on_the_terminal() {
        let mut all = Servers::default();
        let failure = ServerFailure {
            reason: "It ended.".to_owned(),
            stderr: vec!["no\u{1b}[31m licence".to_owned()],
            ..ServerFailure::default()
        };
        all.set_status(ServerName::new("a"), ServerStatus::Failed(failure));
        let lines = servers(&all);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[..2], ["a: not there", "  It ended."]);
        assert!(!lines[2].contains('\u{1b}'), "{lines:?}");
    }
}
