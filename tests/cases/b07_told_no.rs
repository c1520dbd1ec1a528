//! B07: the model learns that a person said no, and why; and no is asked again each time.

use crate::support::reply::{say, tool_as, tools};
use crate::support::run::Stage;

const WIPE: &str = "{\"target\":\"all\"}";

#[test]
fn each_denial_is_told_with_its_own_reason_and_the_same_call_waits_again() {
    let both = tools(&[
        ("toolu_1", "s__echo", "{\"text\":\"a\"}"),
        ("toolu_2", "s__wipe", WIPE),
    ]);
    let script = [both, tool_as("toolu_9", "s__wipe", WIPE), say("finished")];
    let mut run = Stage::new(script).with_echo().start(&[]);
    run.ready();
    run.say("go");
    run.deny_because("use read only");
    run.deny();
    let requests = run.stage.api.wait_for(2);
    let results = requests[1].results();
    let ids: Vec<&str> = results.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!(ids, ["toolu_1", "toolu_2"]);
    for (id, is_error, text) in &results {
        let text = text.to_lowercase();
        let no = ["declin", "denied", "said no"]
            .iter()
            .any(|word| text.contains(word));
        let nothing = ["not run", "nothing ran", "did not run", "not executed"];
        let not_run = nothing.iter().any(|word| text.contains(word));
        assert!(*is_error && no && not_run, "{id}: {text}");
    }
    assert!(results[0].2.contains("use read only") && !results[1].2.contains("use read only"));
    assert!(run.transcript().contains("use read only"));
    run.deny();
    run.pty.wait_for("finished");
    run.finish();
}
