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

fn failure_notice(server: &ServerName, failure: &ServerFailure) -> Notice {
    let exit = failure
        .exit
        .as_ref()
        .map(|exit| format!(" ({exit})"))
        .unwrap_or_default();
    let text = format!(
        "The server `{server}` is not there: {}{exit} Its command is `{}`. `/mcp` shows more.",
        failure.reason, failure.command
    );
    Notice {
        level: Level::Warning,
        text,
        details: failure.stderr.clone(),
    }
}
