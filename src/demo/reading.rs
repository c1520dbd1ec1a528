//! What the scripted model understands of a request.

use serde_json::Value;

/// The language that the person writes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Chinese,
}

/// A call of the round before, with what came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answered {
    /// The tool's own name, without the server.
    pub(super) tool: String,
    /// The text of the result.
    pub(super) text: String,
    /// The result is an error.
    pub(super) failed: bool,
}

/// What matters of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    /// What the person said last.
    pub(super) said: String,
    /// Its language.
    pub(super) language: Language,
    /// The results that the request brings, in the order of the calls; empty on a new message.
    pub(super) answered: Vec<Answered>,
    /// The tools that can be called, by their full names.
    pub(super) tools: Vec<String>,
    /// The client wants to see thinking.
    pub(super) thinks: bool,
}

impl Reading {
    /// Reads a request that has been checked.
    pub(super) fn of(request: &Value) -> Self {
        let empty = Vec::new();
        let messages = request["messages"].as_array().unwrap_or(&empty);
        let said = messages
            .iter()
            .rev()
            .filter(|message| message["role"] == "user")
            .map(text_of)
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        let tools = request["tools"].as_array().unwrap_or(&empty);
        let name = |tool: &Value| tool["name"].as_str().map(str::to_owned);
        Self {
            language: language(&said),
            said,
            answered: answered(messages),
            tools: tools.iter().filter_map(name).collect(),
            thinks: request["thinking"]["type"]
                .as_str()
                .is_some_and(|kind| kind != "disabled"),
        }
    }

    /// Returns the full name of a tool, wherever it comes from; the demo's own server first.
    pub(super) fn tool(&self, name: &str) -> Option<&str> {
        let own = format!("{}__{name}", crate::demo::SERVER);
        let other = format!("__{name}");
        let find = |fits: &dyn Fn(&str) -> bool| self.tools.iter().find(|tool| fits(tool));
        find(&|tool| tool == own)
            .or_else(|| find(&|tool| tool.ends_with(&other)))
            .map(String::as_str)
    }
}

fn text_of(message: &Value) -> String {
    content_text(&message["content"])
}

/// Returns a content's text: all of it, or its text blocks joined.
fn content_text(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let blocks = content.as_array().into_iter().flatten();
    let texts = blocks.filter(|block| block["type"] == "text");
    let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

fn answered(messages: &[Value]) -> Vec<Answered> {
    let [.., assistant, last] = messages else {
        return Vec::new();
    };
    let calls = assistant["content"].as_array().into_iter().flatten();
    let results = || last["content"].as_array().into_iter().flatten();
    calls
        .filter(|block| block["type"] == "tool_use")
        .filter_map(|call| {
            let result = results().find(|result| result["tool_use_id"] == call["id"])?;
            let name = call["name"].as_str().unwrap_or_default();
            let text = content_text(&result["content"]);
            Some(Answered {
                tool: name.rsplit("__").next().unwrap_or(name).to_owned(),
                text: text.trim().to_owned(),
                failed: result["is_error"] == Value::Bool(true),
            })
        })
        .collect()
}

fn language(text: &str) -> Language {
    let chinese = |char: char| ('\u{4e00}'..='\u{9fff}').contains(&char);
    if text.chars().any(chinese) {
        Language::Chinese
    } else {
        Language::English
    }
}
