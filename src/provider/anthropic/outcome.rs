//! What a model is told about how a call ended, so that it can tell all the ways apart.

use crate::chat::tool::{TimeLimit, ToolOutcome};

/// Returns the words that come before a result's own content; a success needs none.
pub(super) fn words(outcome: &ToolOutcome) -> Option<String> {
    Some(match outcome {
        ToolOutcome::Succeeded => return None,
        ToolOutcome::Failed => "Tool error: the tool reported an error.".to_owned(),
        ToolOutcome::Denied => denied(None),
        ToolOutcome::DeniedWithReason(reason) => denied(Some(reason)),
        ToolOutcome::Cancelled => {
            "Cancelled: the user stopped this call while it was running. Whether it had any effect \
             is unknown."
                .to_owned()
        }
        ToolOutcome::TimedOut(limit) => timed_out(*limit),
        ToolOutcome::ServerGone => {
            "Server gone: the tool server ended or lost its connection before this call was \
             answered. Whether it had any effect is unknown."
                .to_owned()
        }
        ToolOutcome::NotRun => "Not run: this call was not started.".to_owned(),
    })
}

/// A denial is a decision, not a fault; a model that takes it for a fault looks for a way round.
fn denied(reason: Option<&str>) -> String {
    let said = "Denied: the user declined this call. It was not run, and nothing was changed.";
    match reason.map(str::trim).filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{said} The user's reason: {reason}"),
        None => {
            format!("{said} Do not try to reach the same end in another way; ask the user instead.")
        }
    }
}

fn timed_out(limit: TimeLimit) -> String {
    let (what, span) = match limit {
        TimeLimit::Idle(span) => ("the tool sent no sign of life for", span),
        TimeLimit::Total(span) => ("the call took longer in all than", span),
    };
    let which = match limit {
        TimeLimit::Idle(_) => "idle limit",
        TimeLimit::Total(_) => "total limit",
    };
    let seconds = span.as_secs().max(1);
    format!(
        "Timed out ({which}): {what} {seconds} s, so it was stopped. Whether it had any effect is \
         unknown."
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::chat::moment::Millis;

    #[test]
    fn a_model_can_tell_all_ends_of_a_call_apart() {
        let ends = [
            ToolOutcome::Succeeded,
            ToolOutcome::Failed,
            ToolOutcome::Denied,
            ToolOutcome::DeniedWithReason("use read only".into()),
            ToolOutcome::Cancelled,
            ToolOutcome::TimedOut(TimeLimit::Idle(Millis::from_secs(60))),
            ToolOutcome::TimedOut(TimeLimit::Total(Millis::from_secs(60))),
            ToolOutcome::ServerGone,
            ToolOutcome::NotRun,
        ];
        let said: HashSet<_> = ends.iter().map(words).collect();
        assert_eq!(said.len(), ends.len());
    }

    #[test]
    fn a_denial_says_that_the_user_declined_and_why() {
        let words = words(&ToolOutcome::DeniedWithReason(" use read only ".into())).unwrap();
        assert!(
            words.contains("the user declined this call. It was not run"),
            "{words}"
        );
        assert!(
            words.ends_with("The user's reason: use read only"),
            "{words}"
        );
    }
}
