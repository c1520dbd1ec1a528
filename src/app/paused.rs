//! What a person is told when a turn is over or waits for a key.

use crate::agent::phase::{Halt, Phase};
use crate::app::App;
use crate::app::notice::{Level, Notice};
use crate::chat::failure::{FailureKind, TurnError};
use crate::provider::catalog::Catalog;

impl App {
    pub(in crate::app) fn on_turn_paused(&mut self) {
        let Phase::Halted(halt) = self.agent.phase() else {
            return;
        };
        if let Some(notice) = notice_of(halt, &self.agent.options().model) {
            self.feed.notice(notice);
        }
    }
}

fn notice_of(halt: &Halt, model: &str) -> Option<Notice> {
    Some(match halt {
        Halt::Failed(error) => Notice::new(Level::Failure, failure_text(error, model)),
        Halt::Stopped => Notice::new(
            Level::Info,
            "Stopped. What came is kept. Write on, or press F5: `F5 ask again`.",
        ),
        Halt::MaxTokens => Notice::new(
            Level::Warning,
            "The reply reached its output limit and is cut here (max_tokens). `F5 go on`.",
        ),
        Halt::TurnLimit(rounds) => Notice::new(
            Level::Warning,
            format!(
                "The turn made {rounds} requests, which is its limit (--max-turns). `F5 go on`."
            ),
        ),
        Halt::ContextFull => Notice::new(
            Level::Warning,
            "The context window is full. Begin a new conversation with `/new`.",
        ),
        // The entry that remembers the refusal has said so already.
        Halt::Refused { explanation, .. } => {
            return explanation
                .clone()
                .map(|text| Notice::new(Level::Info, text));
        }
        Halt::EmptyReply => Notice::new(
            Level::Warning,
            "The model sent an empty reply. `F5 ask again`.",
        ),
        Halt::NeedsApproval(tools) => Notice::new(
            Level::Failure,
            format!(
                "A tool needed approval and nobody was there: {}.",
                tools.join(", ")
            ),
        ),
    })
}

fn failure_text(error: &TurnError, model: &str) -> String {
    format!(
        "{} Your message is kept. `F5 ask again`.",
        failure_sentence(error, model)
    )
}

/// Says what happened and what it means, without any key: for every front end.
pub fn failure_sentence(error: &TurnError, model: &str) -> String {
    let what = what_happened(error, model);
    let said = if error.message.is_empty() {
        String::new()
    } else {
        format!(" {}", error.message)
    };
    let id = error
        .request_id
        .as_ref()
        .map(|id| format!(" (request {id})"))
        .unwrap_or_default();
    format!("{what}{said}{id}")
}

fn what_happened(error: &TurnError, model: &str) -> String {
    match error.kind {
        FailureKind::NoCredentials => "There is no key. Set ANTHROPIC_API_KEY.".to_owned(),
        FailureKind::Unauthorized => {
            "The service refused the key (401). Check ANTHROPIC_API_KEY.".to_owned()
        }
        FailureKind::Billing => "The account can't pay for this request.".to_owned(),
        FailureKind::Forbidden => "The key has no permission for this (403).".to_owned(),
        FailureKind::NotFound => not_found(model),
        FailureKind::TooLarge => {
            "The request is too large (413). Begin a new conversation with `/new`.".to_owned()
        }
        FailureKind::BadRequest => "The service refused the request.".to_owned(),
        FailureKind::RateLimited => "Too many requests for this account (429).".to_owned(),
        FailureKind::Overloaded => "The service is overloaded (529).".to_owned(),
        FailureKind::ServerError => "The service has a fault of its own.".to_owned(),
        FailureKind::Network => "The service can't be reached.".to_owned(),
        FailureKind::Silent(after) => {
            format!(
                "Nothing came for {} s, so the connection was closed.",
                after.as_secs()
            )
        }
        FailureKind::StreamCut => "The reply was cut; the text so far is kept.".to_owned(),
        FailureKind::NotAStream => "The answer is not a stream of events.".to_owned(),
        FailureKind::BadConfiguration => "The configuration can't be used.".to_owned(),
    }
}

fn not_found(model: &str) -> String {
    let near: Vec<&str> = Catalog::builtin()
        .near(model)
        .into_iter()
        .filter(|name| *name != model)
        .collect();
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!(" Near: {}.", near.join(", "))
    };
    format!("The service knows no such model or address (404): `{model}`.{hint} `/model NAME`.")
}
