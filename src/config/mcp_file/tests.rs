use super::*;
use crate::chat::moment::Millis;
use crate::config::server::Reach;

fn read(text: &str) -> Result<McpFile, McpFileError> {
    parse(text, &|name| {
        (name == "HOME").then(|| "/home/ann".to_owned())
    })
}

fn error(text: &str) -> (usize, String) {
    let error = read(text).unwrap_err();
    (error.line, error.reason)
}

#[test]
fn both_kinds_of_server_are_read_whole() {
    let file = read(
        r#"{"mcpServers": {
            "files": {"command": "npx", "args": ["-y", "~", "${HOME}"], "env": {"T": "${HOME}", "N": 3},
                      "cwd": "/w", "timeout": 1500, "disabled": false, "alwaysLoad": true},
            "web": {"type": "streamableHttp", "url": "https://h.test/${X:-mcp}", "headers": {"A": "b"}},
            "old": {"type": "sse", "url": "https://h.test/sse", "disabled": true}}}"#,
    )
    .unwrap();
    assert_eq!(file.warnings, Vec::<String>::new());
    assert_eq!(file.refused, []);
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let expected = [
        ServerEntry {
            name: ServerName::new("files"),
            reach: Reach::Stdio {
                command: "npx".into(),
                args: vec!["-y".into(), "~".into(), "/home/ann".into()],
                env: vec![pair("T", "/home/ann"), pair("N", "3")],
                cwd: Some("/w".into()),
            },
            timeout: Some(Millis(1500)),
            disabled: false,
        },
        ServerEntry {
            name: ServerName::new("web"),
            reach: Reach::Http {
                url: "https://h.test/mcp".into(),
                headers: vec![pair("A", "b")],
            },
            timeout: None,
            disabled: false,
        },
        ServerEntry {
            name: ServerName::new("old"),
            reach: Reach::OldSse {
                url: "https://h.test/sse".into(),
            },
            timeout: None,
            disabled: true,
        },
    ];
    assert_eq!(file.servers, expected);
}

#[test]
fn every_spelling_of_the_http_type_is_the_same() {
    for kind in [
        "http",
        "streamable-http",
        "streamable_http",
        "streamableHttp",
    ] {
        let text = format!(r#"{{"mcpServers":{{"a":{{"type":"{kind}","url":"https://x"}}}}}}"#);
        assert!(matches!(
            read(&text).unwrap().servers[0].reach,
            Reach::Http { .. }
        ));
    }
}

#[test]
fn errors_name_the_line_the_server_and_the_field() {
    assert_eq!(error("{\n \"mcpServers\": {\n  \"a\": {,}}}").0, 3);
    assert_eq!(error("").0, 1);
    assert_eq!(error("[]"), (1, "this is not a JSON object".into()));
    assert_eq!(
        error("{\"mcpServers\": {\n\"a\": {\"command\":\"x\"},\n\"a\": {\"command\":\"y\"}}}"),
        (3, "the server name `a` is used twice".into())
    );
    assert_eq!(
        error("{\"mcpServers\": {\"a\": {\n\"command\": \" \"}}}"),
        (2, "server `a`: `command` is empty".into())
    );
    assert_eq!(
        error("{\"mcpServers\": {\"a\": {\"command\":\"x\",\n\"args\": \"-v\"}}}"),
        (2, "server `a`: `args` must be a list of texts".into())
    );
    assert_eq!(
        error("{\n\"mcpServers\": {\n\"a\": {}}}"),
        (3, "server `a`: `command` or `url` is missing".into())
    );
    assert_eq!(
        error("{\n\"mcpServers\": {\n\"a\": 5}}"),
        (3, "server `a`: this is not a JSON object".into())
    );
}

#[test]
fn an_unknown_field_is_a_warning_and_the_server_is_kept() {
    let file = read("{\"x\":1,\"mcpServers\":{\"a\":{\"command\":\"c\",\n\"colour\":1}}}").unwrap();
    assert_eq!(file.servers.len(), 1);
    assert_eq!(
        file.warnings,
        [
            "Line 1: `x` is not known at the top of a server file and is ignored.",
            "Line 2: the field `colour` of the server `a` is not known and is ignored.",
        ]
    );
}

#[test]
fn a_variable_that_is_not_set_leaves_only_its_server_out() {
    let file = read(
        r#"{"mcpServers":{"a":{"command":"c","args":["${NOPE}"]},"b":{"command":"d"},
            "c":{"command":"${NOPE}","disabled":true},"d":{"command":"${NOPE:-}"}}}"#,
    )
    .unwrap();
    let started: Vec<_> = file.servers.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(started, ["b", "c"]);
    assert_eq!(file.refused[0].name.as_str(), "a");
    assert!(file.refused[0].reason.contains("`NOPE` is not set"));
    assert_eq!(file.refused[1].name.as_str(), "d");
}

#[test]
fn a_file_without_servers_is_fine() {
    assert_eq!(read("{}").unwrap(), McpFile::default());
    assert_eq!(
        read("\u{feff}{\"mcpServers\":{}}").unwrap(),
        McpFile::default()
    );
}
