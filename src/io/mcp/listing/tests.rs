use super::*;

fn page(text: &str) -> (Listing, Option<String>) {
    let mut listing = Listing::default();
    let next = listing.take_page(text);
    (listing, next)
}

#[test]
fn a_tool_is_read_with_its_schema_as_it_was_written() {
    let schema = r#"{ "type":"object", "properties":{"b":{"maximum":1.0e2},"a":{}} }"#;
    let (listing, next) = page(&format!(
        r#"{{"tools":[{{"name":"t","description":"d","inputSchema":{schema},"annotations":
            {{"title":"T","readOnlyHint":true,"destructiveHint":"no"}}}}],"nextCursor":"p2"}}"#
    ));
    let expected = ListedTool {
        name: "t".into(),
        title: Some("T".into()),
        description: Some("d".into()),
        input_schema: Some(RawJson::parse(schema).unwrap()),
        output_schema: None,
        hints: ToolHints {
            read_only: Some(true),
            ..ToolHints::default()
        },
    };
    assert_eq!(listing.tools, [expected]);
    assert_eq!(next.as_deref(), Some("p2"));
}

#[test]
fn odd_tools_do_not_hurt_the_others() {
    let (listing, next) = page(
        r#"{"tools":[7,{"name":""},{"description":"x"},{"name":"s9","annotations":null,"description":null},
            {"name":"s3"},{"name":"s8","inputSchema":true,"outputSchema":true},{"name":"s3","title":"twin"},
            {"name":"app","_meta":{"ui":{"visibility":["app"]}}}],"nextCursor":null}"#,
    );
    let names: Vec<_> = listing
        .tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(names, ["s9", "s3", "s8"]);
    assert_eq!(listing.problems.len(), 3);
    assert_eq!(next, None);
}

#[test]
fn an_empty_cursor_is_the_end() {
    assert_eq!(page(r#"{"tools":[],"nextCursor":""}"#).1, None);
    assert_eq!(page(r#"{"tools":[]}"#), (Listing::default(), None));
    assert_eq!(page(r#"{"tools":{}}"#).0.problems.len(), 1);
    assert_eq!(page("7").0.problems.len(), 1);
}
