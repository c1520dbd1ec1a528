use proptest::prelude::*;

use super::*;

fn tool(name: &str) -> ListedTool {
    ListedTool {
        name: name.to_owned(),
        input_schema: Some(RawJson::parse(r#"{"type":"object"}"#).unwrap()),
        ..ListedTool::default()
    }
}

fn changed(name: &str) -> ListedTool {
    ListedTool {
        description: Some("new words".to_owned()),
        ..tool(name)
    }
}

fn names(toolbox: &Toolbox) -> Vec<String> {
    let specs = toolbox.specs();
    specs.iter().map(|spec| spec.name.to_string()).collect()
}

fn server(name: &str) -> ServerName {
    ServerName::new(name)
}

#[test]
fn tools_are_sorted_until_the_first_request_and_grow_at_the_end_after_it() {
    let mut toolbox = Toolbox::default();
    assert_eq!(
        toolbox.update(&server("b"), vec![tool("z"), tool("a")]),
        [""; 0]
    );
    toolbox.update(&server("a"), vec![tool("m")]);
    assert_eq!(names(&toolbox), ["a__m", "b__a", "b__z"]);
    toolbox.freeze();
    toolbox.update(&server("a"), vec![tool("m"), tool("k"), tool("b")]);
    assert_eq!(names(&toolbox), ["a__m", "b__a", "b__z", "a__b", "a__k"]);
}

#[test]
fn a_tool_that_went_away_stays_declared_only_if_a_model_has_seen_it() {
    let mut toolbox = Toolbox::default();
    toolbox.update(&server("s"), vec![tool("a"), tool("b")]);
    toolbox.update(&server("s"), vec![tool("a")]);
    assert_eq!(names(&toolbox), ["s__a"]);
    toolbox.freeze();
    toolbox.lost(&server("s"));
    assert_eq!(names(&toolbox), ["s__a"]);
    let gone = toolbox.resolve(&ToolName::new("s__a")).unwrap();
    assert!(!gone.available);
    assert_eq!(toolbox.available(&server("s")), 0);
    toolbox.update(&server("s"), vec![tool("a")]);
    assert!(toolbox.resolve(&ToolName::new("s__a")).unwrap().available);
}

#[test]
fn a_definition_that_changed_is_told_and_the_sent_one_is_kept() {
    let mut toolbox = Toolbox::default();
    toolbox.update(&server("s"), vec![tool("a")]);
    assert_eq!(toolbox.update(&server("s"), vec![changed("a")]), [""; 0]);
    toolbox.freeze();
    let sent = toolbox.specs();
    let told = toolbox.update(&server("s"), vec![tool("a")]);
    assert_eq!(
        told,
        ["The server `s` has changed its tool `a`; the model still knows the earlier definition."]
    );
    assert_eq!(toolbox.specs(), sent);
    let known = toolbox.resolve(&ToolName::new("s__a")).unwrap();
    assert_eq!(known.listed, tool("a"));
}

#[test]
fn a_tool_that_can_not_be_offered_is_named_and_the_others_are_kept() {
    let mut toolbox = Toolbox::default();
    let odd = ListedTool {
        input_schema: Some(RawJson::parse(r#"{"type":"array"}"#).unwrap()),
        ..tool("odd")
    };
    let told = toolbox.update(&server("s"), vec![odd, tool("echo"), changed("echo")]);
    assert_eq!(
        told,
        [
            "The tool `odd` of the server `s` is left out: its input schema does not describe an object.",
            "The server `s` lists the tool `echo` twice; the first one counts.",
        ]
    );
    assert_eq!(names(&toolbox), ["s__echo"]);
}

#[test]
fn tools_of_an_earlier_session_keep_their_place_and_wait_for_their_server() {
    let mut first = Toolbox::default();
    first.update(&server("s"), vec![tool("x.y"), tool("a")]);
    let sent = first.specs();
    let mut resumed = Toolbox::default();
    resumed.update(&server("r"), vec![tool("early")]);
    resumed = Toolbox::default();
    resumed.seed(&sent);
    let name = sent[0].name.clone();
    assert!(resumed.is_declared(&name));
    assert_eq!(resumed.resolve(&name), None);
    resumed.update(&server("r"), vec![tool("b")]);
    assert_eq!(
        resumed.update(&server("s"), vec![tool("x.y"), tool("a")]),
        [""; 0]
    );
    assert_eq!(resumed.specs()[..2], sent[..]);
    assert!(resumed.resolve(&name).unwrap().available);
}

#[test]
fn awkward_names_of_several_servers_all_find_their_way_back() {
    let long = "n".repeat(66);
    let (one, two) = (format!("{long}aaaa"), format!("{long}bbbb"));
    let own = ["cal.list", "cal_list", "a b", "x/y", "é", &one, &two];
    let dotted = format!("{}.x", "s".repeat(48));
    let mut toolbox = Toolbox::default();
    for name in ["s1", "s2", &dotted] {
        toolbox.update(&server(name), own.iter().map(|n| tool(n)).collect());
    }
    assert_eq!(toolbox.specs().len(), 21);
    check_names(&toolbox);
}

fn check_names(toolbox: &Toolbox) {
    let mut seen = HashSet::new();
    for spec in toolbox.specs().iter() {
        let name = spec.name.as_str();
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(
            (1..=64).contains(&name.len()) && name.chars().all(allowed),
            "{name}"
        );
        assert!(seen.insert(spec.name.clone()), "{name} twice");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn public_names_are_allowed_unique_and_lead_back(
        pairs in proptest::collection::vec(("[a-c_.é/]{1,4}|[s_]{50,60}", "[a-c_.é ]{1,4}|[t_]{60,70}"), 1..40),
        freeze_after in 0usize..40,
    ) {
        let mut toolbox = Toolbox::default();
        let mut lists: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
        for (index, (server_name, tool_name)) in pairs.iter().enumerate() {
            let list = lists.entry(server_name.clone()).or_default();
            if !list.contains(tool_name) {
                list.push(tool_name.clone());
            }
            toolbox.update(&server(server_name), list.iter().map(|n| tool(n)).collect());
            if index == freeze_after {
                toolbox.freeze();
            }
        }
        check_names(&toolbox);
        let total: usize = lists.values().map(Vec::len).sum();
        prop_assert_eq!(toolbox.specs().len(), total);
        let mut back = std::collections::BTreeMap::<String, Vec<String>>::new();
        for spec in toolbox.specs().iter() {
            let found = toolbox.resolve(&spec.name).unwrap();
            back.entry(found.server.to_string()).or_default().push(found.listed.name.clone());
        }
        for list in back.values_mut().chain(lists.values_mut()) {
            list.sort();
        }
        prop_assert_eq!(back, lists);
    }
}
