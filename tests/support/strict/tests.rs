//! The validator can refuse: one broken request for each rule.

use serde_json::{Value, json};

use super::Strict;

fn request(messages: &Value) -> Value {
    json!({"model": "m", "max_tokens": 1, "messages": messages})
}

fn verdict(strict: &mut Strict, body: &Value) -> String {
    match strict.check(body.to_string().as_bytes()) {
        Ok(()) => "fine".to_owned(),
        Err(rule) => rule,
    }
}

fn user(content: &Value) -> Value {
    json!({"role": "user", "content": content})
}

fn assistant(content: &Value) -> Value {
    json!({"role": "assistant", "content": content})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "s__echo", "input": {}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "x"})
}

#[test]
fn each_rule_about_who_speaks_and_what_is_refused_by_its_name() {
    let hi = user(&json!("hi"));
    for (messages, rule) in [
        (json!([hi]), "fine"),
        (json!([]), "messages: at least one is required"),
        (
            json!([assistant(&json!("a"))]),
            "messages.0: the first message must be from the user",
        ),
        (
            json!([hi, assistant(&json!("a"))]),
            "the conversation must end with a user message",
        ),
        (
            json!([hi, assistant(&json!("a "))]),
            "the final assistant text cannot end with trailing whitespace",
        ),
        (
            json!([user(&json!(" \n"))]),
            "messages.0: text content must be non-empty",
        ),
        (
            json!([user(&json!([{"type": "text", "text": " "}]))]),
            "messages.0.content.0: text content blocks must be non-empty",
        ),
        (json!([user(&json!([]))]), "messages.0: empty content"),
        (
            json!([user(&json!([{"type": "text", "text": "a", "at": 1}]))]),
            "messages.0.content.0.at: extra inputs are not permitted",
        ),
    ] {
        let found = verdict(&mut Strict::default(), &request(&messages));
        assert_eq!(found, rule, "{messages}");
    }
}

#[test]
fn each_rule_about_calls_and_their_results_is_refused_by_its_name() {
    let hi = user(&json!("hi"));
    for (messages, rule) in [
        (
            json!([hi, assistant(&json!([call("a")])), hi]),
            "messages.1: `a` found without one tool_result immediately after",
        ),
        (
            json!([user(&json!([result("a")]))]),
            "messages.0: unexpected tool_use_id `a` in tool_result",
        ),
        (
            json!([user(&json!([result("srvtoolu_1")]))]),
            "messages.0.content.0: a server tool is never answered",
        ),
        (
            json!([
                hi,
                assistant(&json!([call("a")])),
                user(&json!([{"type": "text", "text": "x"}, result("a")]))
            ]),
            "messages.2: a tool_result after another block",
        ),
        (
            json!([
                hi,
                assistant(&json!([call("a")])),
                user(&json!([result("a")])),
                assistant(&json!([call("a")])),
                user(&json!([result("a")]))
            ]),
            "messages.3: tool_use id `a` used twice",
        ),
    ] {
        let found = verdict(&mut Strict::default(), &request(&messages));
        assert_eq!(found, rule, "{messages}");
    }
}

#[test]
fn each_rule_about_tools_is_refused_by_its_name() {
    let schema = json!({"type": "object"});
    for (tools, rule) in [
        (json!([{"name": "a", "input_schema": schema}]), "fine"),
        (
            json!([{"name": "a.b", "input_schema": schema}]),
            "tools.0: name `a.b` not ^[a-zA-Z0-9_-]{1,128}$",
        ),
        (
            json!([{"name": "a", "input_schema": schema}, {"name": "a", "input_schema": schema}]),
            "tools.1: name `a` used twice",
        ),
        (
            json!([{"name": "a", "input_schema": {}}]),
            "tools.0.input_schema: without type `object`",
        ),
        (
            json!([{"name": "a", "input_schema": {"type": "object", "oneOf": []}}]),
            "tools.0.input_schema: top-level oneOf",
        ),
        (
            json!([{"name": "a", "input_schema": {"type": "object", "required": null}}]),
            "tools.0.input_schema: required is null",
        ),
        (
            json!([{"name": "a", "input_schema": {"type": "object", "properties": {"x": 1}}}]),
            "tools.0.input_schema: not a valid JSON Schema",
        ),
        (
            json!([{"name": "a", "input_schema": schema, "server": "s"}]),
            "tools.0.server: extra inputs are not permitted",
        ),
    ] {
        let mut body = request(&json!([user(&json!("hi"))]));
        body["tools"] = tools;
        assert_eq!(verdict(&mut Strict::default(), &body), rule, "{body}");
    }
}

#[test]
fn reasoning_that_was_changed_reordered_or_left_out_half_way_is_refused() {
    let thought = json!({"type": "thinking", "thinking": "a", "signature": "s"});
    let hidden = json!({"type": "redacted_thinking", "data": "d"});
    let mut strict = Strict::default();
    strict
        .sent
        .push(vec![thought.clone(), hidden.clone(), call("a")]);
    let mut other = thought.clone();
    other["thinking"] = json!("b");
    let mut bare = thought.clone();
    bare["signature"] = json!("");
    let differs = "messages.1: reasoning differs from what was sent";
    for (blocks, rule) in [
        (json!([thought, hidden, call("a")]), "fine"),
        (json!([hidden, thought, call("a")]), differs),
        (json!([thought, call("a"), hidden]), differs),
        (json!([other, hidden, call("a")]), differs),
        (json!([thought, call("a")]), differs),
        (
            json!([bare, hidden, call("a")]),
            "messages.1.content.0: thinking lost its signature",
        ),
        (
            json!([call("a")]),
            "reasoning is missing from the message whose results are being sent",
        ),
    ] {
        let messages = json!([
            user(&json!("hi")),
            assistant(&blocks),
            user(&json!([result("a")]))
        ]);
        assert_eq!(verdict(&mut strict, &request(&messages)), rule, "{blocks}");
    }
}

#[test]
fn half_a_surrogate_and_too_many_breakpoints_are_refused() {
    let mut strict = Strict::default();
    let body = r#"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"\ud83d"}]}"#;
    assert!(
        strict
            .check(body.as_bytes())
            .is_err_and(|rule| rule.starts_with("body not JSON"))
    );
    let text = json!({"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}});
    let many = request(&json!([user(&json!([text, text, text, text, text]))]));
    assert_eq!(
        verdict(&mut strict, &many),
        "cache_control: 5 breakpoints, at most 4"
    );
    assert_eq!(strict.refusals.len(), 2);
}
