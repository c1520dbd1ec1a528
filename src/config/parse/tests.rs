use crate::chat::moment::Millis;
use crate::config::parse::parse;
use crate::config::{Config, GateSettings, Limits, ModelChoice, ProviderEntry};
use crate::redact::RedactRules;

fn told(text: &str) -> String {
    match parse(text, "config.toml") {
        Ok(config) => format!("no error: {config:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_empty_file_is_the_defaults() {
    assert_eq!(parse("", "config.toml"), Ok(Config::default()));
    assert_eq!(parse("[limits]\n[keys]\n", "x"), Ok(Config::default()));
}

/// Every key once.
const FULL: &str = r#"
model = "local/qwen/q3"
effort = "high"
theme = "dark"
[provider.anthropic]
base_url = "https://api.anthropic.com"
[provider.local]
wire = "openai-chat"
base_url = "http://127.0.0.1:8080/v1"
api_key_env = "LOCAL_KEY"
api_key_command = ["pass", "show", "local"]
[limits]
max_tokens = 64_000
max_turns = 9
tool_idle_seconds = 1
tool_total_seconds = 2
stream_idle_seconds = 3
result_bytes = 4
[gate]
quiet_ms = 200
[redact]
keys = ["employee_id"]
patterns = ['ACME-[0-9]{8}']
[keys]
"gate.run" = "a"
gate.deny = ["n", "F8"]
"#;

#[test]
fn every_key_of_the_contract_is_read() {
    let own = |action: &str, key: &str| (action.to_owned(), key.to_owned());
    let expected = Config {
        model: ModelChoice {
            provider: "local".into(),
            model: "qwen/q3".into(),
        },
        effort: Some("high".into()),
        theme: "dark".into(),
        limits: Limits {
            max_tokens: 64_000,
            max_turns: 9,
            tool_idle: Millis(1_000),
            tool_total: Millis(2_000),
            stream_idle: Millis(3_000),
            result_bytes: 4,
        },
        gate: GateSettings { quiet: Millis(200) },
        redact: RedactRules {
            keys: vec!["employee_id".into()],
            patterns: vec!["ACME-[0-9]{8}".into()],
        },
        providers: vec![
            ProviderEntry {
                name: "anthropic".into(),
                wire: "anthropic".into(),
                base_url: Some("https://api.anthropic.com".into()),
                api_key_env: None,
                api_key_command: Vec::new(),
            },
            ProviderEntry {
                name: "local".into(),
                wire: "openai-chat".into(),
                base_url: Some("http://127.0.0.1:8080/v1".into()),
                api_key_env: Some("LOCAL_KEY".into()),
                api_key_command: vec!["pass".into(), "show".into(), "local".into()],
            },
        ],
        keys: vec![
            own("gate.run", "a"),
            own("gate.deny", "n"),
            own("gate.deny", "F8"),
        ],
    };
    assert_eq!(parse(FULL, "config.toml"), Ok(expected));
}

#[test]
fn unknown_keys_are_told_with_line_and_nearest_key() {
    assert_eq!(
        told("modle = \"x\"\n[limits]\nmax_turn = 3\n[gate]\nfast = true\n[limit]\n"),
        "config.toml:1: unknown key `modle`; did you mean `model`?\n\
         config.toml:3: unknown key `limits.max_turn`; did you mean `limits.max_turns`?\n\
         config.toml:5: unknown key `gate.fast`\n\
         config.toml:6: unknown key `limit`; did you mean `limits`?"
    );
}

#[test]
fn wrong_types_are_told_with_their_line() {
    assert_eq!(
        told(
            "model = 5\ntheme = \"\"\nkeys = []\n[limits]\nmax_turns = \"9\"\nresult_bytes = -1\n"
        ),
        "config.toml:1: `model` must be a text in quotes, not a whole number\n\
         config.toml:2: `theme` must be a text that is not empty, not a text\n\
         config.toml:3: `keys` must be a table, not a list\n\
         config.toml:5: `limits.max_turns` must be a whole number, not a text\n\
         config.toml:6: `limits.result_bytes` must be between 1 and 4294967295"
    );
}

#[test]
fn a_syntax_error_is_told_with_its_line() {
    let text = told("theme = \"auto\"\nmodel = \n");
    assert!(
        text.starts_with("config.toml:2: this is not TOML: "),
        "{text}"
    );
}

#[test]
fn the_gate_never_waits_less_than_200_milliseconds() {
    assert_eq!(
        told("[gate]\nquiet_ms = 199\n"),
        "config.toml:2: `gate.quiet_ms` must be between 200 and 60000"
    );
}

#[test]
fn too_few_tokens_are_raised() {
    let config = parse("[limits]\nmax_tokens = 100\n", "x").unwrap();
    assert_eq!(config.limits.max_tokens, 16_000);
}

#[test]
fn providers_and_models_have_to_fit_each_other() {
    assert_eq!(
        told(
            "model = \"antropic/x\"\n[provider.own]\nbase_url = \"ftp://x\"\n[provider.b]\nwire = \"opnai\"\n"
        ),
        "config.toml:1: there is no provider `antropic`; did you mean `anthropic`?\n\
         config.toml:2: `provider.own` needs a `wire`: the API that it speaks, one of anthropic, \
         openai, openai-chat, gemini, gemini-interactions, mistral, bedrock, demo\n\
         config.toml:3: `provider.own.base_url` must begin with https:// or http:// and a host\n\
         config.toml:5: unknown wire form `opnai`; did you mean `openai`?"
    );
}

#[test]
fn key_bindings_that_cannot_be_are_told_with_their_line() {
    assert_eq!(
        told("[keys]\n\"gate.rum\" = \"y\"\n\"gate.run\" = \"Enter\"\n\"gate.deny\" = \"r\"\n"),
        "config.toml:2: nothing is called `gate.rum`; did you mean `gate.run`?\n\
         config.toml:3: `Enter` can't be bound to `gate.run`: Enter, Tab and Space never answer the gate\n\
         config.toml:4: `r` means both `gate.deny` and `gate.reason`"
    );
}

#[test]
fn the_commented_file_that_init_writes_says_nothing_but_the_defaults() {
    let text = include_str!("../../../assets/config.toml");
    assert_eq!(parse(text, "config.toml"), Ok(Config::default()));
}

#[test]
fn every_line_of_the_commented_file_is_right_when_its_mark_is_taken_away() {
    let text = include_str!("../../../assets/config.toml");
    let live: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            // Prose has a full stop or a colon at its end, or no equals sign; settings have both ends.
            Some(rest) if rest.starts_with('[') || rest.contains(" = ") => format!("{rest}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    assert!(live.contains("\nmax_turns = "), "{live}");
    if let Err(error) = parse(&live, "config.toml") {
        panic!("{error}");
    }
}
