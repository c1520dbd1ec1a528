//! What the servers tell: their states and their tools.

use crate::app::App;
use crate::app::notice::{Level, Notice};
use crate::app::servers::{ServerFailure, ServerStatus};
use crate::chat::id::ServerName;
use crate::chat::listing::ListedTool;

impl App {
    pub(in crate::app) fn on_server_changed(&mut self, server: ServerName, status: ServerStatus) {
        match &status {
            ServerStatus::Failed(failure) => {
                self.agent.lose_server(&server);
                self.servers.set_tools(&server, 0);
                let notice = failure_notice(&server, failure);
                self.feed.notice(notice);
            }
            ServerStatus::Slow { seconds } => {
                let text = format!(
                    "The server `{server}` has not answered for {seconds} s. It goes on starting \
                     in the background; the others can be used."
                );
                self.feed.notice(Notice::new(Level::Warning, text));
            }
            ServerStatus::Starting | ServerStatus::Ready { .. } | ServerStatus::Disabled => {}
        }
        self.servers.set_status(server, status);
    }

    pub(in crate::app) fn on_tools_listed(
        &mut self,
        server: &ServerName,
        tools: Vec<ListedTool>,
        problems: Vec<String>,
    ) {
        let count = tools.len();
        let odd = self.agent.list_tools(server, tools);
        self.servers.set_tools(server, count);
        for problem in problems.into_iter().chain(odd) {
            self.feed.notice(Notice::new(Level::Warning, problem));
        }
    }
}

/// The reason is a sentence of its own; most of them name the server already.
fn failure_notice(server: &ServerName, failure: &ServerFailure) -> Notice {
    let name = format!("`{server}`");
    let mut text = if failure.reason.contains(&name) {
        failure.reason.clone()
    } else {
        format!("The server {name} is not there. {}", failure.reason)
    };
    if let Some(exit) = &failure.exit
        && !text.contains(exit.as_str())
    {
        let said = format!(" ({exit})");
        text.push_str(&said);
    }
    if !failure.command.is_empty() && !text.contains(&failure.command) {
        let said = format!(" Its command is `{}`.", failure.command);
        text.push_str(&said);
    }
    text.push_str(" `/mcp` shows more.");
    Notice {
        level: Level::Warning,
        text,
        details: failure.stderr.clone(),
    }
}
