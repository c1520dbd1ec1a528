//! The conversation as lines of text, for a reader that can't see a screen.

use std::io::{self, Write};

use crate::app::notice::Level;
use crate::app::timeline::{CallCard, CallState, ShownPart};
use crate::chat::tool::{TimeLimit, ToolOutcome};
use crate::print::news::News;
use crate::ui::sanitize::{self, Care};

/// Makes text harmless for a terminal, line by line.
pub(in crate::print) fn clean(text: &str) -> String {
    let lines: Vec<String> = sanitize::lines(text)
        .map(|line| sanitize::plain(line, Care::Reading))
        .collect();
    lines.join("\n")
}

/// The same for what is to be decided about: every invisible character is shown.
pub(in crate::print) fn clean_for_gate(text: &str) -> String {
    let lines: Vec<String> = sanitize::lines(text)
        .map(|line| sanitize::plain(line, Care::Deciding))
        .collect();
    lines.join("\n")
}

/// Writes the conversation down the page.
#[derive(Debug, Default)]
pub(in crate::print) struct Linear {
    in_text: bool,
}

impl Linear {
    pub(in crate::print) fn write(
        &mut self,
        news: &[News<'_>],
        out: &mut impl Write,
    ) -> io::Result<()> {
        for piece in news {
            match piece {
                News::Text(text) => self.write_text(text, out)?,
                News::TextEnded => self.end_text(out)?,
                News::Thought(text) => self.write_thought(text, out)?,
                News::Call(card) => self.write_call(card, out)?,
                News::Other(kind) => self.line(&format!("[{}]", clean(kind)), out)?,
                News::Notice(notice) => {
                    let mark = match notice.level {
                        Level::Info => "Note",
                        Level::Warning => "Warning",
                        Level::Failure => "Error",
                    };
                    self.line(&format!("{mark}: {}", clean(&notice.text)), out)?;
                    for detail in &notice.details {
                        self.line(&format!("  {}", clean(detail)), out)?;
                    }
                }
            }
        }
        out.flush()
    }

    /// Writes a line of its own.
    pub(in crate::print) fn line(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        self.end_text(out)?;
        writeln!(out, "{text}")
    }

    fn write_text(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        if !self.in_text {
            self.in_text = true;
            write!(out, "Model: ")?;
        }
        write!(out, "{}", clean(text))
    }

    fn end_text(&mut self, out: &mut impl Write) -> io::Result<()> {
        if std::mem::take(&mut self.in_text) {
            writeln!(out)
        } else {
            Ok(())
        }
    }

    fn write_thought(&mut self, text: &str, out: &mut impl Write) -> io::Result<()> {
        let words = text.split_whitespace().count();
        if words == 0 {
            Ok(())
        } else {
            self.line(&format!("[thinking: {words} words]"), out)
        }
    }

    fn write_call(&mut self, card: &CallCard, out: &mut impl Write) -> io::Result<()> {
        let name = full_name(card);
        match &card.state {
            CallState::Waiting(_) => Ok(()),
            CallState::Running { .. } => self.line(&format!("Running {name}."), out),
            CallState::Ended { outcome, took } => {
                let ending = ending(outcome);
                let seconds = took.as_secs();
                self.line(&format!("{name}: {ending} ({seconds} s)."), out)?;
                for part in &card.result {
                    self.line(&shown(part), out)?;
                }
                Ok(())
            }
        }
    }
}

/// A call's server and the server's own name of the tool.
pub(in crate::print) fn full_name(card: &CallCard) -> String {
    let server = card
        .server
        .as_ref()
        .map_or("(no server)", |server| server.as_str());
    format!("{} › {}", clean(server), clean_for_gate(&card.tool))
}

fn shown(part: &ShownPart) -> String {
    match part {
        ShownPart::Text { text, .. } => clean(text),
        ShownPart::Media { media_type, bytes } => format!("[{media_type}, {bytes} bytes]"),
    }
}

fn ending(outcome: &ToolOutcome) -> String {
    match outcome {
        ToolOutcome::Succeeded => "done".to_owned(),
        ToolOutcome::Failed => "failed".to_owned(),
        ToolOutcome::Denied => "denied".to_owned(),
        ToolOutcome::DeniedWithReason(reason) => format!("denied: {}", clean(reason)),
        ToolOutcome::Cancelled => "cancelled".to_owned(),
        ToolOutcome::TimedOut(TimeLimit::Idle(limit)) => {
            format!(
                "timed out after {} s without a sign of life",
                limit.as_secs()
            )
        }
        ToolOutcome::TimedOut(TimeLimit::Total(limit)) => {
            format!("timed out after {} s in all", limit.as_secs())
        }
        ToolOutcome::ServerGone => "the server is gone".to_owned(),
        ToolOutcome::NotRun => "not run".to_owned(),
    }
}
