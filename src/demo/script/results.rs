//! What the scripted model says to the results of its calls.

use crate::demo::reading::Answered;
use crate::demo::script::words::Words;

/// What became of a call, as far as a model can tell from its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Done,
    Denied,
    Cancelled,
    Failed,
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
    match fate(answered) {
        Fate::Denied => words.denied(&answered.tool, &text),
        Fate::Cancelled => words.cancelled(&answered.tool, &text),
        Fate::Failed => words.failed(&answered.tool, &text),
        Fate::Done => match answered.tool.as_str() {
            "add" => words.sum(&text),
            "get_weather" => words.weather(&text),
            "store_password" => words.stored(&text),
            tool => words.done(tool, &text),
        },
    }
}

fn fate(answered: &Answered) -> Fate {
    let text = answered.text.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if !answered.failed {
        Fate::Done
    } else if any(&["denied", "declined", "deny", "not run", "拒绝"]) {
        Fate::Denied
    } else if any(&["cancel", "stopped", "取消"]) {
        Fate::Cancelled
    } else {
        Fate::Failed
    }
}

/// Joins lines and takes quotes away, so that a result can be quoted in a sentence.
fn one_line(text: &str) -> String {
    let joined: Vec<&str> = text.split_whitespace().collect();
    joined.join(" ").replace('`', "'")
}
