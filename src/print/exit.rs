//! How a run without a screen ends: exit code and what is said on stderr.

use crate::agent::phase::{Halt, Phase};
use crate::app::App;
use crate::app::paused::failure_sentence;
use crate::chat::failure::FailureKind;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::print) struct Ending {
    /// The exit code of product contract section 2.
    pub(in crate::print) code: u8,
    /// What happened and what to do, when it didn't end well.
    pub(in crate::print) why: Option<String>,
}

/// Says how a run ended, once the turn is over.
pub(in crate::print) fn ending(app: &App) -> Ending {
    if let Some(code) = app.ended() {
        return Ending { code, why: None };
    }
    match app.agent().phase() {
        Phase::Idle => Ending { code: 0, why: None },
        Phase::Halted(halt) => of_halt(halt, &app.agent().options().model),
        Phase::Streaming { .. } | Phase::Retrying { .. } | Phase::AtTools(_) => Ending {
            code: 1,
            why: Some("The turn did not end.".to_owned()),
        },
    }
}

fn of_halt(halt: &Halt, model: &str) -> Ending {
    let with = |code: u8, why: String| Ending {
        code,
        why: Some(why),
    };
    match halt {
        Halt::NeedsApproval(tools) => {
            let flags: Vec<String> = tools
                .iter()
                .map(|tool| format!("--allow-tool {tool}"))
                .collect();
            with(
                4,
                format!(
                    "The tool {} needed approval and there was nobody to ask. To allow it: {}",
                    tools.join(", "),
                    flags.join(" ")
                ),
            )
        }
        Halt::TurnLimit(rounds) => with(
            5,
            format!("The turn reached its limit of {rounds} requests. `--max-turns` raises it."),
        ),
        Halt::Failed(error) => with(of_failure(error.kind), failure_sentence(error, model)),
        Halt::MaxTokens => with(1, "The answer was cut at --max-tokens.".to_owned()),
        Halt::ContextFull => with(1, "The context window is full.".to_owned()),
        Halt::Refused { .. } => with(1, "The model refused.".to_owned()),
        Halt::EmptyReply => with(1, "The model sent an empty reply.".to_owned()),
        Halt::Stopped => with(130, "Stopped.".to_owned()),
    }
}

const fn of_failure(kind: FailureKind) -> u8 {
    match kind {
        FailureKind::NoCredentials | FailureKind::Unauthorized | FailureKind::BadConfiguration => 3,
        FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::ServerError
        | FailureKind::Network
        | FailureKind::Silent(_)
        | FailureKind::StreamCut => 75,
        FailureKind::Billing
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::TooLarge
        | FailureKind::BadRequest
        | FailureKind::NotAStream => 1,
    }
}
