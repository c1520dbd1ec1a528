//! A Streamable HTTP server of our own that plays a part per path.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::chat::tool::ToolOutcome;

/// Answers a client that speaks the old way; a call of `cut` ends the stream without an answer.
fn legacy(head: &str, body: &str) -> String {
    let message: Value = serde_json::from_str(body).unwrap();
    let id = message["id"].clone();
    let own = head.lines().find_map(|line| line.strip_prefix("x-own: "));
    let result = match message["method"].as_str().unwrap() {
        "initialize" => json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                               "serverInfo": {"name": "web", "title": "Web \u{1b}[2J", "version": "1"}}),
        "tools/list" => {
            json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}, {"name": "cut"}]})
        }
        "tools/call" if message["params"]["name"] == "cut" => {
            return reply("200 OK", "content-type: text/event-stream", ": nothing\n\n");
        }
        "tools/call" => json!({"content": [{"type": "text", "text": own}, {"type": "hologram"}]}),
        _ if id.is_null() => return reply("202 Accepted", "x: y", ""),
        _ => return reply("404 Not Found", "x: y", "no such thing"),
    };
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
    reply(
        "200 OK",
        "content-type: application/json",
        &answer.to_string(),
    )
}

fn reply(status: &str, header: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{header}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

async fn answer(mut stream: TcpStream) -> Option<()> {
    let mut text = String::new();
    loop {
        let mut bytes = [0; 4096];
        let count = stream
            .read(&mut bytes)
            .await
            .ok()
            .filter(|count| *count > 0)?;
        text.push_str(std::str::from_utf8(bytes.get(..count)?).ok()?);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if body.len() < length.unwrap_or("0").parse().ok()? {
            continue;
        }
        let path = head.split(' ').nth(1)?;
        let said = match path {
            _ if head.starts_with("GET") => reply("405 Method Not Allowed", "x: y", ""),
            "/mcp" => legacy(head, body),
            "/401" => reply("401 Unauthorized", "x: y", ""),
            "/challenge" => reply(
                "401 Unauthorized",
                "www-authenticate: Bearer realm=\"x\"",
                "",
            ),
            "/html" => reply("200 OK", "content-type: text/html", "<html>hello</html>"),
            "/500" => reply("500 Internal Server Error", "x: y", "\u{1b}[31moops"),
            _ => reply("404 Not Found", "x: y", "<html>"),
        };
        return stream.write_all(said.as_bytes()).await.ok();
    }
}

async fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream));
        }
    });
    format!("http://{address}")
}

fn web(name: &str, url: String) -> ServerEntry {
    let headers = vec![("X-Own".to_owned(), "mine".to_owned())];
    ServerEntry {
        reach: Reach::Http { url, headers },
        ..program(name, "", &[])
    }
}

#[tokio::test]
async fn a_web_server_is_called_with_its_own_headers() {
    let base = serve().await;
    let mut play = Play::new(vec![web("w", format!("{base}/mcp"))]);
    let status = play
        .next(|fact| match fact {
            Fact::ServerChanged {
                status: ServerStatus::Starting,
                ..
            } => None,
            Fact::ServerChanged { status, .. } => Some(status),
            _ => None,
        })
        .await;
    let expected = ServerStatus::Ready {
        title: Some("Web".to_owned()),
        protocol: "2025-06-18".to_owned(),
    };
    assert_eq!(status, expected);
    assert_eq!(play.names("w").await, ["echo", "cut"]);
    let result = play.call("w", "echo", "x").await;
    assert_eq!(
        said(&result),
        r#"mine|[content of the unknown kind `hologram`: {"type":"hologram"}]"#
    );
    let result = play.call("w", "cut", "x").await;
    assert_eq!(result.outcome, ToolOutcome::ServerGone);
    assert_eq!(
        play.call("w", "echo", "x").await.outcome,
        ToolOutcome::Succeeded
    );
}

#[tokio::test]
async fn web_servers_that_can_not_be_used_say_why() {
    let base = serve().await;
    let names = ["401", "challenge", "html", "500", "404"];
    let mut entries: Vec<_> = names
        .iter()
        .map(|name| web(name, format!("{base}/{name}")))
        .collect();
    entries.push(web("closed", "http://127.0.0.1:9/mcp".to_owned()));
    let mut play = Play::new(entries);
    let mut reasons = BTreeMap::new();
    while reasons.len() < 6 {
        let (server, reason) = play
            .next(|fact| match fact {
                Fact::ServerChanged {
                    server,
                    status: ServerStatus::Failed(failure),
                } => Some((server.to_string(), failure.reason)),
                _ => None,
            })
            .await;
        reasons.insert(server, reason);
    }
    for name in ["401", "challenge"] {
        assert!(
            reasons[name].contains("asks for a login"),
            "{}",
            reasons[name]
        );
    }
    for reason in reasons.values() {
        assert!(!reason.contains('\u{1b}') && reason.len() < 250, "{reason}");
    }
}
