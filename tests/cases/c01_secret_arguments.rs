//! C01: secrets in arguments are masked on the screen and on the disk, and sent in clear.

use std::time::Duration;

use serde_json::json;

use crate::support::person::{ESC, F2, PAGE_DOWN, PAGE_UP};
use crate::support::reply::{Reply, Step, end, ms, say, tu};
use crate::support::run::Stage;
use crate::support::secrets::mark;

#[test]
fn no_secret_of_an_argument_is_ever_seen_or_saved_and_the_server_gets_them_all() {
    let secrets: Vec<String> = (0..5).map(|_| mark()).collect();
    let [s1, s2, s3, s4, s5] = &secrets[..] else {
        unreachable!("there are five")
    };
    let arguments = json!({
        "authorization": format!("Bearer {s1}aaaa"),
        "headers": {"X-Api-Key": format!("{s2}bbbb"), "Cookie": format!("sid={s3}cccc")},
        "list": [{"apiKey": format!("{s4}dddd")}, {"Password": format!("{s5}eeee")}],
        "client_secret": 123_456_789,
        "note": "keep",
    });
    let text = arguments.to_string();
    let events = ms() + &tu(0, "toolu_1", "s__wipe", &[&text]) + &end("tool_use");
    // A few bytes at a time, so that half of a secret could be drawn.
    let drip = Step::Drip(events.clone().into_bytes(), 5, Duration::from_millis(1));
    let mut run = Stage::new([Reply::cut(&events, vec![drip]), say("finished")])
        .with_echo()
        .sized(100, 40)
        .start(&[]);
    run.ready();
    run.say("go");
    run.approve();
    assert_eq!(
        run.stage.mcp("s").wait_for_calls(1),
        [("wipe".to_owned(), arguments)]
    );
    run.pty.wait_for("finished");
    for key in ["\x0f", PAGE_UP, PAGE_DOWN, F2, ESC] {
        run.pty.send(key);
        run.pty.settle();
    }
    let screens = run.all_screens();
    for seen in [
        "keep",
        "authorization",
        "X-Api-Key",
        "Cookie",
        "apiKey",
        "Password",
        "client_secret",
    ] {
        assert!(screens.contains(seen), "`{seen}` was never seen");
    }
    run.end_by_quitting();
    let marks: Vec<&str> = secrets
        .iter()
        .map(String::as_str)
        .chain(["123456789"])
        .collect();
    run.judge_secrets(&marks);
    run.judge();
    let mut run = run.again(&["-c"]);
    run.pty.wait_for("finished");
    run.end_by_quitting();
    run.judge_secrets(&marks);
    run.judge();
}
