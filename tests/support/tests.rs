//! The parts of the test support work: terminal, model and server are what they claim to be.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::fake_api::FakeApi;
use super::fake_mcp::FakeMcp;
use super::home::{Home, search_path};
use super::pty::{Ended, Pty, Start};
use super::reply::{Reply, Step, ms, say, tb};
use super::{census, modes};

fn shell(script: &str, mark: &str) -> Pty {
    Pty::start(&Start {
        command: ["sh", "-c", script].map(str::to_owned).to_vec(),
        environment: vec![
            ("PATH".to_owned(), search_path().to_owned()),
            ("TG_MARK".to_owned(), mark.to_owned()),
        ],
        folder: Path::new("/"),
        size: (40, 5),
        umask: None,
    })
}

#[test]
fn a_program_in_the_terminal_is_seen_typed_to_resized_and_its_end_is_told() {
    let mut pty = shell(
        "printf 'ready\\033[?2004h'; read x; stty size; printf 'got %s' \"$x\"; stty -echo; exit 3",
        "terminal-test",
    );
    pty.wait_for("ready");
    pty.resize(30, 4);
    pty.send("abc\r");
    pty.wait_for("got abc");
    assert!(pty.screen().contains("4 30"), "{pty:?}");
    assert_eq!(pty.wait_end(Duration::from_secs(5)), Some(Ended::Code(3)));
    let (before, after) = pty.settings();
    assert_ne!(Some(before), after);
    assert_eq!(modes::left_by(&pty.log()).modes, [2004].into());
}

#[test]
fn a_closed_terminal_hangs_up_on_its_program() {
    let mark = "mark-closed-terminal-test";
    let mut pty = shell("printf ready; sleep 60; true", mark);
    pty.wait_for("ready");
    assert!(!census::marked(mark).is_empty());
    pty.close();
    assert_eq!(census::left_after(mark, Duration::from_secs(5)), []);
}

fn post(api: &FakeApi, body: &Value) -> String {
    let address = api.url().replace("http://", "");
    let mut stream = TcpStream::connect(address).expect("the model listens");
    let body = body.to_string();
    let head = format!(
        "POST /v1/messages HTTP/1.1\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream
        .write_all((head + &body).as_bytes())
        .expect("a request is written");
    let mut answer = String::new();
    // The server may drop the connection in mid-answer: that is one of its parts.
    let _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn the_model_plays_its_script_refuses_what_is_wrong_and_then_says_done() {
    let cut = ms() + &tb(0, "half");
    let api = FakeApi::start([
        say("one"),
        Reply::error(529, "overloaded_error", "Overloaded").with("retry-after", "3"),
        Reply::cut(
            &cut,
            vec![
                Step::Drip(cut.clone().into_bytes(), 1, Duration::ZERO),
                Step::Drop,
            ],
        ),
    ]);
    let good =
        json!({"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "a"}]});
    assert!(post(&api, &good).contains("\"text\":\"one\""));
    assert!(post(&api, &json!({})).starts_with("HTTP/1.1 400"));
    let overloaded = post(&api, &good);
    assert!(overloaded.starts_with("HTTP/1.1 529") && overloaded.contains("retry-after: 3"));
    let half = post(&api, &good);
    assert!(
        half.contains("\r\n1\r\n{\r\n") && !half.ends_with("0\r\n\r\n"),
        "{half}"
    );
    assert!(post(&api, &good).contains("\"text\":\"done\""));
    assert_eq!(api.requests().len(), 5);
    assert_eq!(api.refusals(), ["model: field required"]);
}

#[test]
fn the_server_plays_its_part_and_logs_what_it_received() {
    let home = Home::new();
    let part = json!({
        "initialize": {"without": ["serverInfo"]},
        "pages": {"": {"tools": [], "nextCursor": "p2"}, "p2": {"tools": []}},
        "calls": {"echo": [{"hold": true}, {"raw": "{\"id\":ID,\"cut\":1}"}]},
    });
    let server = FakeMcp::new(&home.servers(), "s", &part);
    let mut child = Command::new("python3")
        .args(server.args())
        .env("PATH", search_path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let mut ask = |id: u32, method: &str, params: Value| {
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(stdin, "{line}").expect("the server reads");
    };
    ask(1, "initialize", json!({"protocolVersion": "2025-06-18"}));
    server.wait_for("initialize");
    ask(2, "tools/list", json!({"cursor": "p2"}));
    ask(
        3,
        "tools/call",
        json!({"name": "echo", "arguments": {"text": "hi"}}),
    );
    server.wait_for_calls(1);
    server.command(&json!({"do": "release"}));
    server.wait_for("\"answered\"");
    ask(4, "tools/call", json!({"name": "echo", "arguments": {}}));
    server.wait_for_calls(2);
    drop(stdin);
    let output = child.wait_with_output().expect("it ends with its input");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        answers,
        [
            json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": true}}}}),
            json!({"jsonrpc": "2.0", "id": 2, "result": {"tools": []}}),
            json!({"jsonrpc": "2.0", "id": 3, "result": {"content": [{"type": "text", "text": "hi"}]}}),
            json!({"id": 4, "cut": 1}),
        ]
    );
    assert_eq!(
        server.calls()[0],
        ("echo".to_owned(), json!({"text": "hi"}))
    );
}
