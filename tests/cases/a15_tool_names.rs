//! A15: whatever tools and servers are called, the service takes the names and each call arrives.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::reply::tools;
use crate::support::run::Stage;

fn listing(names: &[&str]) -> Value {
    let tool = |name: &&str| json!({"name": name, "inputSchema": {"type": "object"}});
    json!({"tools": names.iter().map(tool).collect::<Vec<_>>()})
}

#[test]
fn every_name_fits_is_unique_and_leads_back_to_its_server_and_tool() {
    let long = |end: char| "n".repeat(66) + &end.to_string().repeat(4);
    let (long1, long2) = (long('1'), long('2'));
    let first = ["cal.list", "cal_list", "a b", "x/y", "é", &long1, &long2];
    let dotted = format!("dot.{}", "d".repeat(46));
    let stage = Stage::new([])
        .server("s1", listing(&first))
        .server("s2", listing(&["cal.list"]))
        .server(&dotted, listing(&["cal.list"]));
    stage.api.then_make(|request| {
        let names = request.tool_names();
        let ids: Vec<String> = (0..names.len()).map(|i| format!("toolu_{i}")).collect();
        let calls: Vec<_> = ids
            .iter()
            .zip(&names)
            .map(|(id, name)| (id.as_str(), name.as_str(), "{}"))
            .collect();
        tools(&calls)
    });
    let mut run = stage.sized(120, 40).start(&[]);
    run.ready();
    run.say("go");
    let names = run.stage.api.wait_for(1)[0].tool_names();
    assert_eq!(names.len(), 9, "{names:?}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 9, "{names:?}");
    for name in &names {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(
            (1..=64).contains(&name.len()) && name.chars().all(fits),
            "{name}"
        );
    }
    for _ in 0..9 {
        run.approve();
    }
    run.pty.wait_for_line("done");
    let called = |server: &str| -> BTreeSet<String> {
        run.stage
            .mcp(server)
            .calls()
            .into_iter()
            .map(|(name, _)| name)
            .collect()
    };
    assert_eq!(
        called("s1"),
        first.iter().map(|&name| name.to_owned()).collect()
    );
    assert_eq!(called("s2"), ["cal.list".to_owned()].into());
    assert_eq!(called(&dotted), ["cal.list".to_owned()].into());
    let screens = run.all_screens();
    for name in [
        "cal.list", "cal_list", "a b", "x/y", "é", "s1", "s2", "dot.dddd",
    ] {
        assert!(screens.contains(name), "the gate never showed {name}");
    }
    run.finish();
}
