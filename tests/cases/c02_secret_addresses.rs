//! C02: a password inside an address or a connection string is masked whole; the rest stays readable.

use serde_json::json;

use crate::support::reply::{say, tool};
use crate::support::run::Stage;
use crate::support::secrets::mark;

#[test]
fn passwords_and_tokens_in_addresses_are_masked_and_their_neighbours_are_not() {
    let secrets: Vec<String> = (0..5).map(|_| mark()).collect();
    let [s1, s2, s3, s4, s5] = &secrets[..] else {
        unreachable!("there are five")
    };
    let arguments = json!({
        "url": format!("https://bob:{s1}pw%40x@h.test/p?token={s2}tok&page=2#access_token={s3}"),
        "dsn": format!("postgres://admin:{s4}p@ss!@db:5432/app"),
        "jdbc": format!("jdbc:mysql://h/db?user=u&password={s5}"),
    });
    let script = [tool("s__wipe", &arguments.to_string()), say("finished")];
    let mut run = Stage::new(script).with_echo().sized(120, 40).start(&[]);
    run.ready();
    run.say("go");
    run.at_gate();
    let screen = run.pty.screen();
    for seen in ["h.test/p", "page=2", "db:5432/app", "jdbc:mysql://h/db"] {
        assert!(screen.contains(seen), "`{seen}` can't be read:\n{screen}");
    }
    assert!(!screen.contains("ss!"), "half of a password:\n{screen}");
    run.approve();
    assert_eq!(
        run.stage.mcp("s").wait_for_calls(1),
        [("wipe".to_owned(), arguments)]
    );
    run.pty.wait_for("finished");
    run.end_by_quitting();
    run.judge_secrets(&secrets.iter().map(String::as_str).collect::<Vec<_>>());
    run.judge();
}
