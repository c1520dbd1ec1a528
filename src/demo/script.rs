//! What the scripted model answers. It reads words, not minds; the same words get the same answer.

mod asked;
mod results;
mod words;

use crate::demo::reading::{Language, Reading};
use crate::demo::reply::Reply;
use crate::demo::script::words::Words;

/// Settles the reply to a request.
pub(super) fn reply(reading: &Reading) -> Reply {
    let words = Words::of(reading.language);
    if reading.answered.is_empty() {
        to_person(reading, words)
    } else {
        Reply {
            thinking: None,
            text: results::told(&reading.answered, words),
            calls: Vec::new(),
        }
    }
}

fn to_person(reading: &Reading, words: &Words) -> Reply {
    let asked = asked::asked(reading);
    if asked.is_nothing() {
        return Reply {
            thinking: None,
            text: words.page(&reading.said).to_owned(),
            calls: Vec::new(),
        };
    }
    let mut text = Vec::new();
    if asked.other_arithmetic {
        text.push(words.only_add.to_owned());
    }
    if !asked.missing.is_empty() {
        text.push(words.no_tool(&asked.missing));
    }
    if !asked.calls.is_empty() {
        text.push(words.asking(asked.calls.len()).to_owned());
    }
    Reply {
        thinking: (reading.thinks && !asked.calls.is_empty())
            .then(|| words.thought(asked.calls.len()).to_owned()),
        text: text.join("\n\n"),
        calls: asked.calls,
    }
}

impl Words {
    /// Returns the page that an idle remark is answered with.
    fn page(&self, said: &str) -> &'static str {
        if said.to_lowercase().contains("markdown") {
            self.markdown
        } else {
            self.help
        }
    }

    fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &words::ENGLISH,
            Language::Chinese => &words::CHINESE,
        }
    }
}
