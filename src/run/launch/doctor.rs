//! `keytide doctor`: gathers what the checks judge.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::cli::doctor::{Facts, answer, checks};
use crate::cli::invocation::{Invocation, Options};
use crate::config::server::{Reach, ServerEntry};
use crate::io::editor;
use crate::io::http::Http;
use crate::io::mcp;
use crate::io::terminal::size_now;
use crate::provider::anthropic::Anthropic;
use crate::run::session::servers;
use crate::run::session::{Ground, StartError, config_file};

pub(super) async fn doctor(invocation: &Invocation) -> Result<u8, StartError> {
    let facts = match Ground::read(invocation) {
        Ok(ground) => gather(invocation, &ground).await,
        Err(error @ StartError::Config(_)) => Facts {
            config: Some(Err(error.to_string())),
            ..Facts::default()
        },
        Err(error) => return Err(error),
    };
    let answer = answer(&checks(&facts));
    write!(io::stdout(), "{}", answer.out)?;
    Ok(answer.code)
}

async fn gather(invocation: &Invocation, ground: &Ground) -> Facts {
    let read = |name: &str| ground.environment.get(name).map(String::as_str);
    let model = &ground.settings.config.model;
    let (credentials, endpoint) = ask_endpoint(ground).await;
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(read)
        .unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    Facts {
        config: Some(Ok(config_file(invocation, &ground.places)
            .display()
            .to_string())),
        model: format!("{}/{}", model.provider, model.model),
        credentials: Some(credentials),
        endpoint,
        terminal: io::stdin().is_terminal() && io::stdout().is_terminal(),
        term: read("TERM").map(str::to_owned),
        size: size_now(),
        utf8: locale.contains("utf-8") || locale.contains("utf8"),
        data: Some(can_write(&ground.places.data)),
        editor: editor::command(read("VISUAL"), read("EDITOR")).join(" "),
        servers: look_at_servers(ground),
    }
}

type Finding = Result<String, String>;

/// Asks the service for its models: this shows that it is there and that it takes the key.
async fn ask_endpoint(ground: &Ground) -> (Finding, Option<Finding>) {
    let endpoint = match ground.route().endpoint().await {
        Ok(endpoint) => endpoint,
        Err(error) => return (Err(error.message), None),
    };
    let dialect = Anthropic::new(endpoint.version);
    let listed = Http::default().list_models(&dialect, &endpoint).await;
    let place = endpoint.base_url.to_string();
    let answer = match listed {
        Ok(models) => Ok(format!("{place} ({} models)", models.len())),
        Err(error) => Err(format!("{place}: {}", error.message)),
    };
    (Ok("found".to_owned()), Some(answer))
}

fn can_write(data: &Path) -> Finding {
    let place = data.display().to_string();
    // The nearest folder that exists is the one that new folders would be made in.
    let existing = data.ancestors().find(|folder| folder.is_dir());
    let writable = existing.is_some_and(|folder| {
        let access = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
        rustix::fs::access(folder, access).is_ok()
    });
    if writable {
        Ok(place)
    } else {
        Err(format!("{place} can't be written"))
    }
}

fn look_at_servers(ground: &Ground) -> Vec<(String, Finding)> {
    match servers::find(&Options::default(), ground) {
        Ok(found) => {
            let refused = found.refused.iter();
            found
                .entries
                .iter()
                .map(|entry| (entry.name.to_string(), look_at(entry, ground)))
                .chain(refused.map(|out| (out.name.to_string(), Err(out.reason.clone()))))
                .collect()
        }
        Err(error) => vec![("file".to_owned(), Err(error.to_string()))],
    }
}

fn look_at(entry: &ServerEntry, ground: &Ground) -> Finding {
    match &entry.reach {
        Reach::Stdio { command, cwd, .. } => {
            let folder = cwd.as_ref().map_or(ground.folder.as_path(), Path::new);
            let path = ground
                .environment
                .get("PATH")
                .map(String::as_str)
                .unwrap_or_default();
            mcp::find_program(command, folder, path)
        }
        Reach::Http { url, .. } => Ok(url.clone()),
        Reach::OldSse { url } => Err(format!(
            "{url} speaks the old HTTP+SSE, which is not spoken here"
        )),
    }
}
