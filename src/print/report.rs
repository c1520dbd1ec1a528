//! The answer in the three output formats of `-p`.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::app::App;
use crate::app::notice::Level;
use crate::app::timeline::{CallCard, CallState, ItemBody, ShownPart};
use crate::chat::id::{ServerName, TranscriptId};
use crate::chat::tool::ToolOutcome;
use crate::cli::invocation::OutputFormat;
use crate::print::exit::Ending;
use crate::print::linear::clean;
use crate::print::news::News;

/// Writes what is new, as it comes.
pub(in crate::print) fn write_news(
    news: &[News<'_>],
    format: OutputFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        OutputFormat::StreamJson => write_events(news, out),
        OutputFormat::Text | OutputFormat::Json => Ok(()),
    }
}

/// Writes what a person should know of the set-up. A failure is told at the end.
pub(in crate::print) fn write_warnings(news: &[News<'_>], err: &mut impl Write) -> io::Result<()> {
    for piece in news {
        if let News::Notice(notice) = piece
            && notice.level == Level::Warning
        {
            writeln!(err, "keytide: {}", clean(&notice.text))?;
        }
    }
    Ok(())
}

/// Writes the end: the answer's text, or one object, or the last event.
pub(in crate::print) fn write_end(
    app: &App,
    ending: &Ending,
    format: OutputFormat,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Text => {
            let text = clean(&answer_text(app));
            if !text.is_empty() {
                writeln!(out, "{}", text.trim_end())?;
            }
        }
        OutputFormat::Json | OutputFormat::StreamJson => writeln!(out, "{}", summary(app, ending))?,
    }
    out.flush()
}

fn write_events(news: &[News<'_>], out: &mut impl Write) -> io::Result<()> {
    for piece in news {
        if let Some(event) = event(piece) {
            writeln!(out, "{event}")?;
        }
    }
    out.flush()
}

fn event(news: &News<'_>) -> Option<Value> {
    Some(match news {
        News::Text(text) => json!({"type": "text", "text": text}),
        News::TextEnded | News::Thought("") => return None,
        News::Thought(text) => json!({"type": "thinking", "text": text}),
        News::Call(card) => call(card),
        News::Other(kind) => json!({"type": "other", "kind": kind}),
        News::Notice(notice) => {
            let level = match notice.level {
                Level::Info => "info",
                Level::Warning => "warning",
                Level::Failure => "failure",
            };
            json!({"type": "notice", "level": level, "text": notice.text, "details": notice.details})
        }
    })
}

fn call(card: &CallCard) -> Value {
    let (state, outcome, took) = match &card.state {
        CallState::Waiting(_) => ("waiting", Value::Null, Value::Null),
        CallState::Running { .. } => ("running", Value::Null, Value::Null),
        CallState::Ended { outcome, took } => {
            ("ended", outcome_word(outcome).into(), took.0.into())
        }
    };
    json!({
        "type": "call",
        "id": card.id.as_str(),
        "server": card.server.as_ref().map(ServerName::as_str),
        "tool": card.tool,
        "arguments": arguments(card),
        "state": state,
        "outcome": outcome,
        "took_ms": took,
        "result": card.result.iter().map(part).collect::<Vec<_>>(),
    })
}

/// The arguments as JSON, or as text when they are not.
fn arguments(card: &CallCard) -> Value {
    serde_json::from_str(&card.arguments).unwrap_or_else(|_| card.arguments.as_str().into())
}

fn part(part: &ShownPart) -> Value {
    match part {
        ShownPart::Text { text, .. } => json!({"type": "text", "text": text.as_str()}),
        ShownPart::Media { media_type, bytes } => {
            json!({"type": "media", "media_type": media_type, "bytes": bytes})
        }
    }
}

pub(in crate::print) const fn outcome_word(outcome: &ToolOutcome) -> &'static str {
    match outcome {
        ToolOutcome::Succeeded => "succeeded",
        ToolOutcome::Failed => "failed",
        ToolOutcome::Denied => "denied",
        ToolOutcome::DeniedWithReason(_) => "denied_with_reason",
        ToolOutcome::Cancelled => "cancelled",
        ToolOutcome::TimedOut(_) => "timed_out",
        ToolOutcome::ServerGone => "server_gone",
        ToolOutcome::NotRun => "not_run",
    }
}

fn summary(app: &App, ending: &Ending) -> Value {
    let total = app.spend().total;
    json!({
        "type": "result",
        "text": answer_text(app),
        "exit_code": ending.code,
        "error": error_text(app, ending),
        "model": app.agent().options().model,
        "requests": app.spend().requests(),
        "usage": {
            "input_tokens": total.input,
            "cache_read_input_tokens": total.cache_read,
            "cache_creation_input_tokens": total.cache_write,
            "output_tokens": total.output,
        },
        "cost_usd": app.spend().dollars(),
        "calls": calls(app),
        "transcript": app.transcript().map(TranscriptId::as_str),
    })
}

fn calls(app: &App) -> Vec<Value> {
    let card = |body: &ItemBody| match body {
        ItemBody::Call(card) => Some(call(card)),
        ItemBody::Person { .. }
        | ItemBody::Reply { .. }
        | ItemBody::Thinking { .. }
        | ItemBody::Preparing { .. }
        | ItemBody::Other { .. }
        | ItemBody::Notice(_) => None,
    };
    app.feed()
        .items()
        .iter()
        .filter_map(|item| card(&item.body))
        .collect()
}

/// The text of the last reply: everything the model said after the last call.
fn answer_text(app: &App) -> String {
    let mut texts: Vec<&str> = Vec::new();
    for item in app.feed().items().iter().rev() {
        match &item.body {
            ItemBody::Reply { source, .. } => texts.push(source),
            ItemBody::Person { .. } | ItemBody::Call(_) => break,
            ItemBody::Thinking { .. }
            | ItemBody::Preparing { .. }
            | ItemBody::Other { .. }
            | ItemBody::Notice(_) => {}
        }
    }
    texts.reverse();
    texts.join("\n")
}

/// What went wrong: the ending's own words, else the last failure that was told.
pub(in crate::print) fn error_text(app: &App, ending: &Ending) -> Option<String> {
    if ending.code == 0 {
        return None;
    }
    ending.why.clone().or_else(|| {
        app.feed()
            .items()
            .iter()
            .rev()
            .find_map(|item| match &item.body {
                ItemBody::Notice(notice) if notice.level == Level::Failure => {
                    Some(notice.text.clone())
                }
                ItemBody::Notice(_)
                | ItemBody::Person { .. }
                | ItemBody::Reply { .. }
                | ItemBody::Thinking { .. }
                | ItemBody::Preparing { .. }
                | ItemBody::Call(_)
                | ItemBody::Other { .. } => None,
            })
    })
}
