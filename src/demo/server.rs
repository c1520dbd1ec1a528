//! The demo's MCP server: a child process that speaks over its standard input and output.

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;

use crate::demo::{tools, weather};

/// Answers the calls.
#[derive(Debug, Clone, Copy, Default)]
pub struct DemoServer;

/// Serves on stdin and stdout until the client leaves.
///
/// # Errors
///
/// When the client doesn't begin as the protocol wants it.
pub async fn serve_stdio() -> std::io::Result<()> {
    let service = DemoServer
        .serve(rmcp::transport::stdio())
        .await
        .map_err(std::io::Error::other)?;
    service.waiting().await.map_err(std::io::Error::other)?;
    Ok(())
}

impl ServerHandler for DemoServer {
    fn get_info(&self) -> ServerConfig {
        let implementation = Implementation::new("keytide-demo", env!("CARGO_PKG_VERSION"))
            .with_title("Keytide demo");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation)
            .with_instructions("Small tools to try the gate with.")
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let outcome = match request.name.as_ref() {
            "get_weather" => text(&arguments, "city").map(|city| weather::report(&city)),
            "add" => add(&arguments),
            "slow_count" => slow_count(&arguments, &context).await,
            "fail" => {
                Err("The disk of the lighthouse is full (this tool always fails).".to_owned())
            }
            "store_password" => store_password(&arguments),
            unknown => {
                let message = format!("there is no tool `{unknown}`");
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        Ok(match outcome {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(text) => CallToolResult::error(vec![ContentBlock::text(text)]),
        }
        .into())
    }
}

fn add(arguments: &JsonObject) -> Result<String, String> {
    if let (Some(a), Some(b)) = (whole(arguments, "a"), whole(arguments, "b"))
        && let Some(sum) = a.checked_add(b)
    {
        return Ok(sum.to_string());
    }
    let number = |name| arguments.get(name).and_then(Value::as_f64);
    match (number("a"), number("b")) {
        (Some(a), Some(b)) => Ok((a + b).to_string()),
        _ => Err("`a` and `b` must be numbers.".to_owned()),
    }
}

async fn slow_count(
    arguments: &JsonObject,
    context: &RequestContext<RoleServer>,
) -> Result<String, String> {
    let seconds = whole(arguments, "seconds")
        .and_then(|seconds| u32::try_from(seconds).ok())
        .filter(|seconds| (1..=120).contains(seconds))
        .ok_or("`seconds` must be a whole number from 1 to 120.")?;
    for second in 1..=seconds {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            () = context.ct.cancelled() => return Err("The count was cancelled.".to_owned()),
        }
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, f64::from(second))
                .with_total(f64::from(seconds))
                .with_message(format!("counted {second} of {seconds}"));
            // Whoever doesn't listen any more has its reasons.
            context.peer.notify_progress(progress).await.ok();
        }
    }
    Ok(format!("Counted to {seconds}, a second each."))
}

fn store_password(arguments: &JsonObject) -> Result<String, String> {
    let user = text(arguments, "user")?;
    let password = text(arguments, "password")?;
    let length = password.chars().count();
    Ok(format!(
        "Stored a password of {length} characters for {user}."
    ))
}

fn text(arguments: &JsonObject, name: &str) -> Result<String, String> {
    arguments
        .get(name)
        .and_then(Value::as_str)
        .filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
        .ok_or_else(|| format!("`{name}` must be a text."))
}

fn whole(arguments: &JsonObject, name: &str) -> Option<i64> {
    arguments.get(name).and_then(Value::as_i64)
}
