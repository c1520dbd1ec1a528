//! What the scripted model says to the results of its calls.

use crate::demo::reading::Answered;
use crate::demo::script::words::Words;

/// What became of a call, as far as a model can tell from its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate<'a> {
    Done(&'a str),
    /// With the person's reason, where one was given.
    Denied(Option<&'a str>),
    Cancelled,
    Failed(&'a str),
}

/// Tells the person about every result, in the order of the calls.
pub(super) fn told(answered: &[Answered], words: &Words) -> String {
    let lines: Vec<String> = answered.iter().map(|one| line(one, words)).collect();
    if let [line] = lines.as_slice() {
        return line.clone();
    }
    let points: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    points.join("\n")
}

fn line(answered: &Answered, words: &Words) -> String {
    let text = one_line(&answered.text);
    let tool = answered.tool.as_str();
    match fate(answered.failed, &text) {
        Fate::Denied(Some(reason)) => words.denied_because(tool, reason),
        Fate::Denied(None) => words.denied(tool),
        Fate::Cancelled => words.cancelled(tool),
        Fate::Failed(text) => words.failed(tool, text),
        Fate::Done(text) => match tool {
            "add" => words.sum(text),
            "get_weather" => words.weather(text),
            "store_password" => words.stored(text),
            _ => words.done(tool, text),
        },
    }
}

/// Reads the words that the client puts in front of a result that is not a success.
fn fate(failed: bool, text: &str) -> Fate<'_> {
    if !failed {
        return Fate::Done(text);
    }
    if text.starts_with("Denied") {
        return Fate::Denied(text.split_once("reason: ").map(|(_, reason)| reason));
    }
    if text.starts_with("Cancelled") {
        return Fate::Cancelled;
    }
    let plain = text.strip_prefix("Tool error: the tool reported an error.");
    Fate::Failed(plain.map_or(text, str::trim))
}

/// Joins lines and takes quotes away, so that a result can be quoted in a sentence.
fn one_line(text: &str) -> String {
    let joined: Vec<&str> = text.split_whitespace().collect();
    joined.join(" ").replace('`', "'")
}
