//! Transcripts as lines of text, for the command line. Nothing in them acts on a terminal.

use crate::chat::entry::{Entry, Verdict};
use crate::chat::message::{ContentBlock, ModelContent};
use crate::chat::tool::{PartBody, ToolOutcome, ToolResult};
use crate::transcript::record::stamp;
use crate::transcript::replay::Replay;
use crate::transcript::summary::{Summary, harmless};

/// Returns a transcript as one line: id, time, size, title, folder.
pub fn summary_line(summary: &Summary) -> String {
    let when = stamp::to_text(summary.changed);
    let day = when.get(..16).unwrap_or(&when).replace('T', " ");
    let title = if summary.title.is_empty() {
        "(empty)"
    } else {
        &summary.title
    };
    let in_use = if summary.in_use {
        "  [open elsewhere]"
    } else {
        ""
    };
    let size = summary.bytes.div_ceil(1024);
    let line = format!(
        "{}  {day}  {size:>6} KiB  {title}  {}{in_use}",
        summary.id, summary.folder
    );
    harmless(&line)
}

/// Returns what a transcript holds, for reading.
pub fn lines(replay: &Replay) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(title) = &replay.title {
        out.push(format!("# {title}"));
    }
    out.push(format!("folder: {}", replay.folder));
    out.extend(
        replay
            .notices
            .iter()
            .map(|notice| format!("note: {notice}")),
    );
    for (at, entry) in &replay.entries {
        let when = stamp::to_text(*at);
        entry_lines(&when, entry, &mut out);
    }
    out.iter().map(|line| harmless(line)).collect()
}

fn entry_lines(when: &str, entry: &Entry, out: &mut Vec<String>) {
    match entry {
        Entry::UserSaid(blocks) => {
            head(when, "you", out);
            block_lines(blocks, out);
        }
        Entry::Requested { .. } => {}
        Entry::Replied { blocks, model, .. } => {
            head(when, model.as_deref().unwrap_or("model"), out);
            block_lines(blocks, out);
        }
        Entry::Cut { text, reason, .. } => {
            head(when, &format!("model, cut: {reason}"), out);
            text_lines(text.as_deref().unwrap_or_default(), out);
        }
        Entry::Refused { category, .. } => {
            let category = category.as_deref().unwrap_or("no category given");
            head(when, &format!("model refused: {category}"), out);
        }
        Entry::Decided { call, decision, .. } => {
            out.push(format!("  [{call}: {}]", verdict(decision)));
        }
        Entry::Answered(result) => result_lines(result, out),
    }
}

fn head(when: &str, who: &str, out: &mut Vec<String>) {
    out.push(String::new());
    out.push(format!("## {who} · {when}"));
}

fn block_lines(blocks: &[ContentBlock], out: &mut Vec<String>) {
    for block in blocks {
        match block {
            ContentBlock::Text(text) => text_lines(text, out),
            ContentBlock::Image(media) => out.push(format!("[picture, {}]", media.media_type)),
            ContentBlock::ToolResult(result) => result_lines(result, out),
            ContentBlock::Model(block) => match &block.content {
                ModelContent::Text(text) => text_lines(text, out),
                ModelContent::Thinking { .. } | ModelContent::RedactedThinking => {
                    out.push("[thinking]".to_owned());
                }
                ModelContent::ToolUse(tool_use) => {
                    let arguments = tool_use.arguments.text();
                    out.push(format!(
                        "[call {}: {} {arguments}]",
                        tool_use.id, tool_use.name
                    ));
                }
                ModelContent::Other { kind } => out.push(format!("[{kind}]")),
            },
        }
    }
}

fn result_lines(result: &ToolResult, out: &mut Vec<String>) {
    out.push(format!("  [{}: {}]", result.id, outcome(&result.outcome)));
    for part in &result.content {
        match &part.body {
            PartBody::Text(text) => {
                out.extend(text.lines().map(|line| format!("  | {line}")));
            }
            PartBody::Image(media) | PartBody::Document(media) => {
                out.push(format!("  | [{}]", media.media_type));
            }
        }
    }
}

fn text_lines(text: &str, out: &mut Vec<String>) {
    out.extend(text.lines().map(str::to_owned));
}

fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Approved => "approved".to_owned(),
        Verdict::AllowedByFlag(pattern) => format!("allowed by --allow-tool {pattern}"),
        Verdict::Denied => "denied".to_owned(),
        Verdict::DeniedWithReason(reason) => format!("denied: {reason}"),
        Verdict::Stopped => "stopped".to_owned(),
    }
}

fn outcome(outcome: &ToolOutcome) -> String {
    match outcome {
        ToolOutcome::Succeeded => "done".to_owned(),
        ToolOutcome::Failed => "failed".to_owned(),
        ToolOutcome::Denied => "denied".to_owned(),
        ToolOutcome::DeniedWithReason(reason) => format!("denied: {reason}"),
        ToolOutcome::Cancelled => "cancelled".to_owned(),
        ToolOutcome::TimedOut(_) => "timed out".to_owned(),
        ToolOutcome::ServerGone => "the server went away; it is unknown whether it ran".to_owned(),
        ToolOutcome::NotRun => "did not run".to_owned(),
    }
}
