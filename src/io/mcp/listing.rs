//! A server's tools: all pages, every tool that can be read.

use std::collections::HashSet;
use std::time::Duration;

use rmcp::model::{ClientRequest, ErrorCode, ListToolsRequest, PaginatedRequestParams};
use rmcp::service::{Peer, PeerRequestOptions, RoleClient, ServiceError};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::chat::listing::{ListedTool, ToolHints};
use crate::chat::raw_json::RawJson;
use crate::io::mcp::clean::one_line;
use crate::io::mcp::failure::service_error;
use crate::io::mcp::result::raw_text;

/// The most pages that are asked for.
const MOST_PAGES: usize = 100;

/// The most tools that are taken from one server.
const MOST_TOOLS: usize = 1_000;

/// The most problems that are told.
const MOST_PROBLEMS: usize = 20;

/// How long a page may take.
const PAGE_LIMIT: Duration = Duration::from_secs(30);

/// What a server lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// Every tool that could be read, each name once, in the server's order.
    pub tools: Vec<ListedTool>,
    /// What was wrong, one sentence each.
    pub problems: Vec<String>,
}

/// Asks for all pages. What was read before something went wrong is kept.
pub(crate) async fn list(peer: &Peer<RoleClient>) -> Listing {
    let mut listing = Listing::default();
    let mut seen = HashSet::new();
    let mut cursor = None;
    for number in 1..=MOST_PAGES {
        let page = match page(peer, cursor).await {
            Ok(page) => page,
            Err(Missing::Unknown) if number == 1 => return listing,
            Err(Missing::Unknown) => break,
            Err(Missing::Failed(reason)) => {
                let what = format!("Page {number} of its tool list could not be read: {reason}.");
                listing.problem(&what);
                break;
            }
        };
        let next = listing.take_page(&page);
        match next {
            None => return listing,
            Some(next) if !seen.insert(next.clone()) => {
                listing.problem("Its tool list repeats itself; the rest was not asked for.");
                return listing;
            }
            Some(next) => cursor = Some(next),
        }
        if number == MOST_PAGES || listing.tools.len() >= MOST_TOOLS {
            let what = format!(
                "Its tool list is longer than {MOST_PAGES} pages or {MOST_TOOLS} tools; the rest was not asked for."
            );
            listing.problem(&what);
            return listing;
        }
    }
    listing
}

enum Missing {
    /// The server does not know the method.
    Unknown,
    /// Something else.
    Failed(String),
}

async fn page(peer: &Peer<RoleClient>, cursor: Option<String>) -> Result<String, Missing> {
    let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
    let request = ListToolsRequest {
        params,
        ..ListToolsRequest::default()
    };
    let options = PeerRequestOptions::with_timeout(PAGE_LIMIT);
    let request = ClientRequest::ListToolsRequest(request);
    let answer = async {
        let handle = peer.send_cancellable_request(request, options).await?;
        handle.await_response().await
    };
    match answer.await {
        Ok(result) => raw_text(result).map_err(Missing::Failed),
        Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            Err(Missing::Unknown)
        }
        Err(error) => Err(Missing::Failed(one_line(&service_error(&error)))),
    }
}

impl Listing {
    fn problem(&mut self, what: &str) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(what.to_owned());
        }
    }

    /// Takes in a page; returns the cursor of the next one. An empty cursor is the end: asking
    /// with it would begin anew.
    fn take_page(&mut self, text: &str) -> Option<String> {
        let members: std::collections::BTreeMap<String, &RawValue> =
            serde_json::from_str(text).unwrap_or_default();
        let tools = members.get("tools").map(|raw| raw.get());
        match tools.map(serde_json::from_str::<Vec<&RawValue>>) {
            Some(Ok(tools)) => tools.iter().for_each(|tool| self.take_tool(tool.get())),
            Some(Err(_)) | None => self.problem("Its tool list holds no list of tools."),
        }
        let cursor = members.get("nextCursor")?;
        let cursor: Option<String> = serde_json::from_str(cursor.get()).ok()?;
        cursor.filter(|cursor| !cursor.is_empty())
    }

    fn take_tool(&mut self, text: &str) {
        if self.tools.len() >= MOST_TOOLS {
            return;
        }
        match read_tool(text) {
            Ok(Some(tool)) if self.tools.iter().any(|known| known.name == tool.name) => {}
            Ok(Some(tool)) => self.tools.push(tool),
            // It asks not to be shown to a model.
            Ok(None) => {}
            Err(reason) => self.problem(&format!("A tool is left out: {reason}.")),
        }
    }
}

/// Reads one tool; odd parts of it are left out. `None` for a tool that is not meant for models.
fn read_tool(text: &str) -> Result<Option<ListedTool>, String> {
    let shown = || one_line(&text.chars().take(80).collect::<String>());
    let members: std::collections::BTreeMap<String, &RawValue> =
        serde_json::from_str(text).map_err(|_kind| format!("`{}` is not an object", shown()))?;
    let value = |name: &str| -> Value {
        let raw = members.get(name);
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default()
    };
    let string = |name: &str| value(name).as_str().map(str::to_owned);
    let name = string("name").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| format!("`{}` has no name", shown()))?;
    if is_hidden(&value("_meta")) {
        return Ok(None);
    }
    let annotations = value("annotations");
    let own_title = annotations.get("title").and_then(Value::as_str);
    let hint = |name: &str| annotations.get(name).and_then(Value::as_bool);
    Ok(Some(ListedTool {
        name,
        title: string("title").or_else(|| own_title.map(str::to_owned)),
        description: string("description"),
        input_schema: schema(members.get("inputSchema")),
        output_schema: schema(members.get("outputSchema")),
        hints: ToolHints {
            read_only: hint("readOnlyHint"),
            destructive: hint("destructiveHint"),
            idempotent: hint("idempotentHint"),
            open_world: hint("openWorldHint"),
        },
    }))
}

fn schema(raw: Option<&&RawValue>) -> Option<RawJson> {
    let raw = raw.filter(|raw| raw.get() != "null")?;
    Some(RawJson::from_raw((*raw).to_owned()))
}

/// Tells whether `_meta.ui.visibility` names others than the model.
fn is_hidden(meta: &Value) -> bool {
    let visibility = meta.get("ui").and_then(|ui| ui.get("visibility"));
    let visibility = visibility.and_then(Value::as_array);
    visibility.is_some_and(|list| !list.iter().any(|who| who == "model"))
}

#[cfg(test)]
mod tests;
