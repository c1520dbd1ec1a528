//! One entry of `mcpServers`, from JSON to how the server is reached.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::chat::id::ServerName;
use crate::chat::moment::Millis;
use crate::config::mcp_file::expand::{Unset, expand};
use crate::config::mcp_file::json_map::{JsonMap, Place};
use crate::config::mcp_file::{Lookup, McpFileError};
use crate::config::server::{Reach, ServerEntry};

/// An entry that was read.
#[derive(Debug)]
pub enum Read {
    /// It can be used.
    Entry(ServerEntry),
    /// It can't be started as it is, a full sentence.
    Refused(String),
}

const FIELDS: [&str; 10] = [
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "headers",
    "type",
    "timeout",
    "disabled",
    "alwaysLoad",
];

/// Reads the entry `name` from `text`, a piece of the text that `place` knows.
pub fn read(
    name: &str,
    text: &str,
    place: &Place<'_>,
    variable: Lookup<'_>,
    warnings: &mut Vec<String>,
) -> Result<Read, McpFileError> {
    let members = JsonMap::parse(text, place).map_err(|error| McpFileError {
        reason: format!("server `{name}`: {}", error.reason),
        ..error
    })?;
    let fields = Fields {
        name,
        members,
        place,
        line: place.line_of(text),
    };
    fields.warn_of_unknown(warnings);
    let _: bool = fields.get("alwaysLoad", "true or false")?.unwrap_or(false);
    let disabled = fields.get("disabled", "true or false")?.unwrap_or(false);
    let timeout: Option<u64> = fields.get("timeout", "a whole number of milliseconds")?;
    if timeout == Some(0) {
        return Err(fields.wrong("timeout", "must be more than 0"));
    }
    let reach = match fields.reach()? {
        Ok(reach) => reach,
        Err(reason) => return Ok(Read::Refused(reason)),
    };
    // A server that is switched off needs no variables.
    let reach = match expanded(reach.clone(), variable) {
        Err(_) if disabled => reach,
        Ok(reach) => reach,
        Err(unset) => return Ok(Read::Refused(unset_reason(name, &unset))),
    };
    if is_blank(&reach) && !disabled {
        return Ok(Read::Refused(format!(
            "The server `{name}` was not started: its command or address is empty once variables are filled in.",
        )));
    }
    Ok(Read::Entry(ServerEntry {
        name: ServerName::new(name),
        reach,
        timeout: timeout.map(Millis),
        disabled,
    }))
}

struct Fields<'a> {
    name: &'a str,
    members: JsonMap<'a>,
    place: &'a Place<'a>,
    line: usize,
}

impl Fields<'_> {
    fn warn_of_unknown(&self, warnings: &mut Vec<String>) {
        let unknown = self.members.members.iter();
        for (field, value) in unknown.filter(|(field, _)| !FIELDS.contains(&field.as_str())) {
            warnings.push(format!(
                "Line {}: the field `{field}` of the server `{}` is not known and is ignored.",
                self.place.line_of(value.get()),
                self.name,
            ));
        }
    }

    /// Reads a field; `null` is as good as absent.
    fn get<T: DeserializeOwned>(&self, field: &str, kind: &str) -> Result<Option<T>, McpFileError> {
        let Some(text) = self.members.get(field) else {
            return Ok(None);
        };
        serde_json::from_str::<Option<T>>(text)
            .map_err(|_kind| self.wrong(field, &format!("must be {kind}")))
    }

    /// Reads an object whose values are text; numbers and truth values count as their text.
    fn texts(&self, field: &str) -> Result<Vec<(String, String)>, McpFileError> {
        let kind = "an object whose values are text";
        let map: Option<serde_json::Map<String, Value>> = self.get(field, kind)?;
        let pair = |(key, value): (String, Value)| match value {
            Value::String(text) => Ok((key, text)),
            Value::Number(_) | Value::Bool(_) => Ok((key, value.to_string())),
            Value::Null | Value::Array(_) | Value::Object(_) => {
                Err(self.wrong(field, &format!("must be {kind}; `{key}` is not")))
            }
        };
        map.unwrap_or_default().into_iter().map(pair).collect()
    }

    fn wrong(&self, field: &str, what: &str) -> McpFileError {
        let at = self.members.get(field).map(|text| self.place.line_of(text));
        McpFileError {
            line: at.unwrap_or(self.line),
            reason: format!("server `{}`: `{field}` {what}", self.name),
        }
    }

    /// Reads how the server is reached; the inner error is why it can't be started.
    fn reach(&self) -> Result<Result<Reach, String>, McpFileError> {
        let command: Option<String> = self.get("command", "text")?;
        let url: Option<String> = self.get("url", "text")?;
        let kind: Option<String> = self.get("type", "text")?;
        let kind = match (kind.as_deref(), &command, &url) {
            (Some(kind), _, _) => kind,
            (None, Some(_), Some(_)) => {
                return Err(self.wrong("url", "and `command` can't both be given without a `type`"));
            }
            (None, Some(_), None) => "stdio",
            (None, None, Some(_)) => "http",
            (None, None, None) => return Err(self.wrong("command", "or `url` is missing")),
        };
        match kind {
            "stdio" => self.stdio(command).map(Ok),
            "http" | "streamable-http" | "streamable_http" | "streamableHttp" => {
                let url = self.address(url)?;
                let headers = self.texts("headers")?;
                Ok(Ok(Reach::Http { url, headers }))
            }
            "sse" => self.address(url).map(|url| Ok(Reach::OldSse { url })),
            other => Ok(Err(format!(
                "The server `{}` was not started: its type `{other}` is not known. Known are `stdio`, `http` and `sse`.",
                self.name,
            ))),
        }
    }

    fn stdio(&self, command: Option<String>) -> Result<Reach, McpFileError> {
        let command = command.ok_or_else(|| self.wrong("command", "is missing"))?;
        if command.trim().is_empty() {
            return Err(self.wrong("command", "is empty"));
        }
        Ok(Reach::Stdio {
            command,
            args: self.get("args", "a list of texts")?.unwrap_or_default(),
            env: self.texts("env")?,
            cwd: self.get("cwd", "text")?,
        })
    }

    fn address(&self, url: Option<String>) -> Result<String, McpFileError> {
        let url = url.ok_or_else(|| self.wrong("url", "is missing"))?;
        if url.trim().is_empty() {
            return Err(self.wrong("url", "is empty"));
        }
        Ok(url)
    }
}

fn expanded(reach: Reach, variable: Lookup<'_>) -> Result<Reach, Unset> {
    let one = |text: String| expand(&text, variable);
    let pairs = |pairs: Vec<(String, String)>| -> Result<Vec<_>, Unset> {
        let pair = |(key, value): (String, String)| Ok((key, expand(&value, variable)?));
        pairs.into_iter().map(pair).collect()
    };
    Ok(match reach {
        Reach::Stdio {
            command,
            args,
            env,
            cwd,
        } => Reach::Stdio {
            command: one(command)?,
            args: args.into_iter().map(one).collect::<Result<_, _>>()?,
            env: pairs(env)?,
            cwd: cwd.map(one).transpose()?,
        },
        Reach::Http { url, headers } => Reach::Http {
            url: one(url)?,
            headers: pairs(headers)?,
        },
        Reach::OldSse { url } => Reach::OldSse { url: one(url)? },
    })
}

fn is_blank(reach: &Reach) -> bool {
    match reach {
        Reach::Stdio { command, .. } => command.trim().is_empty(),
        Reach::Http { url, .. } | Reach::OldSse { url } => url.trim().is_empty(),
    }
}

fn unset_reason(name: &str, unset: &Unset) -> String {
    let variable = &unset.name;
    format!(
        "The server `{name}` was not started: the variable `{variable}` is not set. Set it, or write `${{{variable}:-default}}`.",
    )
}
