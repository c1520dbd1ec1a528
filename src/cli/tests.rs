use std::path::PathBuf;

use crate::chat::id::ServerName;
use crate::cli::invocation::{
    Chat, Command, Common, ConfigCommand, Options, OutputFormat, Print, ServerChoice, Start,
    SystemPrompt, TranscriptsCommand,
};
use crate::cli::parse_args;
use crate::cli::settings::{DEMO_MODEL, Environment, Settings, settings};
use crate::config::server::{Reach, ServerEntry};
use crate::config::{Config, ModelChoice};

fn command(words: &str) -> Command {
    let args = std::iter::once("keytide").chain(words.split_whitespace());
    match parse_args(args) {
        Ok(invocation) => invocation.command,
        Err(error) => panic!("{words}: {}", error.text()),
    }
}

fn refused(words: &str) -> String {
    let args = std::iter::once("keytide").chain(words.split_whitespace());
    let error = parse_args(args).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{words}");
    error.text().lines().next().unwrap_or_default().to_owned()
}

fn chat(chat: Chat) -> Command {
    Command::Chat(Box::new(chat))
}

#[test]
fn no_words_are_a_fresh_conversation() {
    assert_eq!(command(""), chat(Chat::default()));
}

#[test]
fn every_option_of_a_conversation_is_read() {
    let words = "--effort high --max-tokens 20000 --max-turns 3 --system hi --mcp-config a.json \
                 --mcp-config b.json --strict-mcp-config --plain --no-save --theme dark -r 0193 --fork \
                 tools/weather.py db.js";
    let script = |name: &str, command: &str, path: &str| ServerEntry {
        name: ServerName::from(name),
        reach: Reach::Stdio {
            command: command.into(),
            args: vec![path.into()],
            env: Vec::new(),
            cwd: None,
        },
        timeout: None,
        disabled: false,
    };
    let expected = Chat {
        start: Start::Transcript {
            id: "0193".into(),
            fork: true,
        },
        options: Options {
            demo: false,
            effort: Some("high".into()),
            max_tokens: Some(20_000),
            max_turns: Some(3),
            system: Some(SystemPrompt::Text("hi".into())),
            no_save: true,
            servers: ServerChoice {
                files: vec!["a.json".into(), "b.json".into()],
                strict: true,
                none: false,
                scripts: vec![
                    script("weather", "python3", "tools/weather.py"),
                    script("db", "node", "db.js"),
                ],
            },
        },
        plain: true,
        theme: Some("dark".into()),
    };
    assert_eq!(command(words), chat(expected));
}

#[test]
fn common_options_may_stand_before_and_after_a_command() {
    for words in [
        "keytide --data-dir /d --debug=rmcp=trace --config c.toml transcripts show 0193",
        "keytide transcripts show 0193 --data-dir /d --debug=rmcp=trace --config c.toml",
    ] {
        let invocation = parse_args(words.split(' ')).unwrap();
        let common = Common {
            config: Some(PathBuf::from("c.toml")),
            data_dir: Some(PathBuf::from("/d")),
            debug: Some("rmcp=trace".into()),
            model: None,
            no_color: false,
        };
        assert_eq!(invocation.common, common);
        let show = TranscriptsCommand::Show { id: "0193".into() };
        assert_eq!(invocation.command, Command::Transcripts(show));
    }
}

#[test]
fn commands_are_read() {
    for (words, expected) in [
        (
            "transcripts list",
            Command::Transcripts(TranscriptsCommand::List),
        ),
        (
            "transcripts path",
            Command::Transcripts(TranscriptsCommand::Path { id: None }),
        ),
        ("config init", Command::Config(ConfigCommand::Init)),
        ("models", Command::Models),
        ("doctor", Command::Doctor),
        ("demo-server", Command::DemoServer),
    ] {
        assert_eq!(command(words), expected);
    }
}

#[test]
fn one_answer_is_asked_for_with_p() {
    let expected = Print {
        start: Start::Newest { fork: false },
        prompt: Some("hi".into()),
        allow_tools: vec!["a__b".into(), "c__*".into()],
        format: OutputFormat::StreamJson,
        options: Options::default(),
    };
    assert_eq!(
        command("-c -p hi --allow-tool a__b --allow-tool c__* --output-format stream-json"),
        Command::Print(Box::new(expected))
    );
    let Command::Print(print) = command("-p") else {
        panic!("-p alone reads stdin");
    };
    assert_eq!(print.prompt, None);
}

#[test]
fn no_flag_switches_the_gate_off_in_a_conversation() {
    assert_eq!(
        refused("--allow-tool a__b"),
        "error: --allow-tool works only with -p: in a conversation every call waits for your key"
    );
}

#[test]
fn an_allowed_tool_matches_no_more_than_it_says() {
    for pattern in ["*", "a__", "*__b", "a", "a__b*", "__b", "a*__b", "a__*b"] {
        assert_eq!(
            refused(&format!("-p hi --allow-tool {pattern}")),
            format!("error: --allow-tool {pattern}: write server__tool or server__*")
        );
    }
}

#[test]
fn flags_that_contradict_each_other_are_usage_errors() {
    for words in [
        "-c -r 1",
        "--fork",
        "--system a --system-file b",
        "--no-mcp --mcp-config a",
        "--no-mcp a.py",
        "--output-format json",
        "-p hi -r",
        "--theme pink",
        "--max-turns 0",
        "--effort low transcripts list",
        "--nope",
    ] {
        refused(words);
    }
}

#[test]
fn a_server_script_ends_in_py_or_js() {
    assert_eq!(
        refused("server.sh"),
        "error: `server.sh` is neither a command nor a server script, which ends in .py or .js"
    );
    assert_eq!(
        refused("transcript list"),
        "error: `transcript` is neither a command nor a server script, which ends in .py or .js; \
         did you mean `transcripts`?"
    );
    assert_eq!(
        refused("a/x.py b/x.js"),
        "error: two server scripts are called `x`; give one of them its own entry in a --mcp-config file"
    );
}

#[test]
fn help_and_version_end_with_0() {
    for words in [["keytide", "--help"], ["keytide", "-V"]] {
        assert_eq!(parse_args(words).unwrap_err().exit_code(), 0);
    }
}

fn settled(words: &str, env: &Environment, config: Config) -> Settings {
    let args = std::iter::once("keytide").chain(words.split_whitespace());
    let invocation = parse_args(args).unwrap();
    settings(&invocation.common, &invocation.command, env, config).unwrap()
}

fn model(provider: &str, model: &str) -> ModelChoice {
    ModelChoice {
        provider: provider.into(),
        model: model.into(),
    }
}

#[test]
fn flag_goes_over_environment_over_configuration_over_default() {
    let env = Environment {
        anthropic_model: Some("from-env".into()),
        ..Environment::default()
    };
    let none = Environment::default();
    let config = || Config {
        model: model("mistral", "from-config"),
        ..Config::default()
    };
    for (words, env, config, expected) in [
        (
            "-m gemini/from-flag",
            &env,
            config(),
            model("gemini", "from-flag"),
        ),
        (
            "-m from-flag",
            &none,
            config(),
            model("mistral", "from-flag"),
        ),
        ("", &env, config(), model("anthropic", "from-env")),
        ("", &none, config(), model("mistral", "from-config")),
        (
            "",
            &none,
            Config::default(),
            model("anthropic", "claude-opus-5"),
        ),
        ("--demo", &env, config(), model("demo", DEMO_MODEL)),
        ("models", &env, config(), model("anthropic", "from-env")),
    ] {
        assert_eq!(
            settled(words, env, config).config.model,
            expected,
            "{words}"
        );
    }
}

#[test]
fn too_few_tokens_are_raised_wherever_they_come_from() {
    let none = Environment::default();
    let tokens = |words| {
        settled(words, &none, Config::default())
            .config
            .limits
            .max_tokens
    };
    assert_eq!(tokens("--max-tokens 5"), 16_000);
    assert_eq!(tokens("--max-tokens 50000"), 50_000);
    assert_eq!(tokens(""), 32_000);
}

#[test]
fn a_dumb_terminal_is_plain_and_no_color_is_heard() {
    let env = Environment::read(|name| match name {
        "TERM" => Some("dumb".into()),
        "NO_COLOR" => Some("1".into()),
        "ANTHROPIC_MODEL" => Some(String::new()),
        _ => None,
    });
    let settings = settled("", &env, Config::default());
    assert!(settings.plain && settings.no_color && !settings.demo);
    assert_eq!(settings.config.model, model("anthropic", "claude-opus-5"));
}
