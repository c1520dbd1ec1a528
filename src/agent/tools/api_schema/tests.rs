use super::*;

fn check(listed: &str) -> Result<Value, Unusable> {
    let raw = RawJson::parse(listed).unwrap();
    api_schema(Some(&raw)).map(|schema| schema.to_value().unwrap())
}

fn mended(listed: &str, expected: &Value) {
    assert_eq!(&check(listed).unwrap(), expected, "{listed}");
}

#[test]
fn a_schema_that_is_fine_stays_byte_for_byte() {
    for text in [
        r##"{ "type":"object", "properties":{"b":{"type":"string"},"a":{"$ref":"#/$defs/T"}}, "$defs":{"T":{"type":"number","maximum":1.0e2}} }"##,
        r##"{"type":"object","properties":{"child":{"$ref":"#"}},"additionalProperties":false}"##,
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"x":{"items":[{"type":"string"}]}}}"#,
        r#"{"$schema":"https://example.test/dialect","type":"object"}"#,
        r#"{"type":"object","properties":{"$ref":{"type":"string"},"default":{"default":null}}}"#,
    ] {
        let raw = RawJson::parse(text).unwrap();
        assert_eq!(api_schema(Some(&raw)).unwrap().text(), text);
    }
}

#[test]
fn nothing_and_anything_become_any_object() {
    assert_eq!(api_schema(None).unwrap().text(), r#"{"type":"object"}"#);
    mended("{}", &json!({"type": "object"}));
    mended("true", &json!({"type": "object"}));
}

#[test]
fn nulls_and_truth_values_are_written_in_an_accepted_way() {
    mended(
        r#"{"type":"object","required":null,"properties":null}"#,
        &json!({"type": "object"}),
    );
    mended(
        r#"{"type":"object","properties":{"raw":true,"no":false,"x":{},"n":{"required":true,"type":"string","description":null}}}"#,
        &json!({"type":"object","properties":{"raw":{},"no":{"not":{}},"x":{},"n":{"type":"string"}}}),
    );
    mended(
        r#"{"type":["object","null"],"properties":{"a":{"type":"string"}}}"#,
        &json!({"type":"object","properties":{"a":{"type":"string"}}}),
    );
}

#[test]
fn alternatives_at_the_top_are_folded_into_properties() {
    mended(
        r#"{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object"}]}"#,
        &json!({"properties":{"a":{"type":"string"}},"type":"object"}),
    );
    mended(
        r##"{"type":"object","properties":{"k":{"const":1}},"required":["k"],
            "anyOf":[{"$ref":"#/$defs/A"},{"properties":{"a":{"type":"number"}},"required":["a","b"]},{"type":"string"}],
            "$defs":{"A":{"properties":{"a":{"type":"string"}},"required":["a"]}}}"##,
        &json!({"type":"object","properties":{"k":{"const":1},"a":{"anyOf":[{"type":"string"},{"type":"number"}]}},
            "required":["k","a"],"$defs":{"A":{"properties":{"a":{"type":"string"}},"required":["a"]}}}),
    );
    mended(
        r#"{"allOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}"#,
        &json!({"properties":{"a":{},"b":{}},"required":["a","b"],"type":"object"}),
    );
}

#[test]
fn a_reference_at_the_top_is_put_in_its_place() {
    mended(
        r##"{"$ref":"#/$defs/T","$defs":{"T":{"type":"object"}}}"##,
        &json!({"$defs":{"T":{"type":"object"}},"type":"object"}),
    );
}

#[test]
fn what_can_not_be_sent_says_why() {
    assert_eq!(check(r##"{"$ref":"#"}"##), Err(Unusable::Circle));
    assert_eq!(
        check(r##"{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}}"##),
        Err(Unusable::Circle)
    );
    assert_eq!(
        check(r#"{"type":"object","properties":{"a":{"$ref":"https://h.test/s.json"}}}"#),
        Err(Unusable::Elsewhere("https://h.test/s.json".into()))
    );
    assert_eq!(
        check(r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/No"}}}"##),
        Err(Unusable::Elsewhere("#/$defs/No".into()))
    );
    assert_eq!(check(r#"{"type":"array"}"#), Err(Unusable::NotAnObject));
    assert_eq!(check("7"), Err(Unusable::NotAnObject));
    assert!(matches!(
        check(r#"{"type":"object","properties":{"a":{"type":"strin"}}}"#),
        Err(Unusable::Invalid(_))
    ));
    let deep = format!("{}1{}", r#"{"not":"#.repeat(300), "}".repeat(300));
    assert!(matches!(check(&deep), Err(Unusable::Unreadable(_))));
    let long = format!(
        r#"{{"type":"object","description":"{}"}}"#,
        "x".repeat(LONGEST)
    );
    assert_eq!(check(&long), Err(Unusable::TooLong));
}
