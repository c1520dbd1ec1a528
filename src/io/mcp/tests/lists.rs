use super::*;

async fn list(part: Value) -> (Vec<String>, Vec<String>) {
    let mut play = Play::part(&part);
    let (tools, problems) = play.listed("s").await;
    if let Some(tool) = tools.first() {
        assert_eq!(said(&play.call("s", &tool.name, "usable").await), "usable");
    }
    (tools.into_iter().map(|tool| tool.name).collect(), problems)
}

fn page(tool: &str, next: &Value) -> Value {
    json!({"tools": [{"name": tool, "inputSchema": {"type": "object"}}], "nextCursor": next})
}

#[tokio::test]
async fn all_pages_are_read_and_every_kind_of_end_is_one() {
    let three = json!({"pages": {"": page("a", &json!("p2")), "p2": page("b", &json!("p3")),
                                 "p3": {"tools": [{"name": "c"}]}}});
    assert_eq!(
        list(three).await,
        (vec!["a".into(), "b".into(), "c".into()], vec![])
    );
    for end in [json!(""), json!(null)] {
        let two = json!({"pages": {"": page("a", &json!("p2")), "p2": page("b", &end)}});
        assert_eq!(list(two).await, (vec!["a".into(), "b".into()], vec![]));
    }
}

#[tokio::test]
async fn a_list_without_end_stops_at_a_bound_with_a_word() {
    for cursors in ["same", "new"] {
        let (tools, problems) = list(json!({"cursors": cursors})).await;
        assert_eq!(tools, ["echo", "wipe"]);
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}

#[tokio::test]
async fn an_error_on_a_later_page_keeps_the_first() {
    let part = json!({"pages": {"": page("a", &json!("p2")), "p2": {"error": {"code": -32603, "message": "oh"}}}});
    let (tools, problems) = list(part).await;
    assert_eq!(tools, ["a"]);
    assert_eq!(
        problems,
        ["Page 2 of its tool list could not be read: MCP error -32603: oh."]
    );
}

#[tokio::test]
async fn a_server_without_tools_is_there_with_none() {
    let not_found = json!({"code": -32601, "message": "Method not found"});
    let parts = [
        (
            "a",
            json!({"initialize": {"result": {"capabilities": {"resources": {}}}}, "list_error": not_found}),
        ),
        (
            "b",
            json!({"initialize": {"result": {"capabilities": {"tools": {}}}}, "tools": []}),
        ),
        ("c", json!({"initialize": {"result": {"capabilities": {}}}})),
        ("d", json!({"initialize": {"without": ["capabilities"]}})),
        (
            "e",
            json!({"initialize": {"result": {"protocolVersion": "1999-01-01"}}}),
        ),
        ("f", json!({"initialize": {"without": ["serverInfo"]}})),
        ("g", json!({"list_error": not_found})),
    ];
    let mut play = Play::parts(&parts, 20_000);
    let mut tools = BTreeMap::new();
    let mut refused = None;
    while tools.len() < 6 || refused.is_none() {
        play.next(|fact| match fact {
            Fact::ToolsListed {
                server,
                tools: list,
                problems,
            } => {
                assert_eq!(problems, Vec::<String>::new(), "{server}");
                tools.insert(server.to_string(), list.len());
                Some(())
            }
            Fact::ServerChanged {
                server,
                status: ServerStatus::Failed(failure),
            } => {
                assert_eq!(server.as_str(), "e");
                refused = Some(failure.reason);
                Some(())
            }
            _ => None,
        })
        .await;
    }
    let counts: Vec<_> = tools.into_iter().collect();
    let none = |name: &str| (name.to_owned(), 0);
    assert_eq!(
        counts,
        [
            none("a"),
            none("b"),
            none("c"),
            none("d"),
            ("f".to_owned(), 2),
            none("g")
        ]
    );
    assert!(refused.unwrap().contains("`1999-01-01`"));
    for quiet in ["a", "c", "d"] {
        assert_eq!(play.received(quiet, "tools/list").len(), 0, "{quiet}");
    }
    let all: Vec<Value> = parts.iter().flat_map(|(name, _)| play.log(name)).collect();
    assert!(
        !all.iter()
            .any(|entry| entry.to_string().contains("resources/list"))
    );
}

#[tokio::test]
async fn odd_schemas_do_not_hurt_the_other_tools() {
    let part = json!({"tools": [
        {"name": "echo", "inputSchema": {"type": "object"}},
        {"name": "s1", "inputSchema": {"oneOf": [{"type": "object"}]}},
        {"name": "s3"}, {"name": "s8", "inputSchema": true, "outputSchema": true},
        {"name": "s9", "inputSchema": {}, "annotations": null, "description": null},
        {"name": "s10", "inputSchema": {}, "annotations": {"readOnlyHint": "yes"}}]});
    let (tools, problems) = list(part).await;
    assert_eq!(tools, ["echo", "s1", "s3", "s8", "s9", "s10"]);
    assert_eq!(problems, Vec::<String>::new());
}
