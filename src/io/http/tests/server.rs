//! A server for tests: plays one scripted answer a connection and keeps what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What happens after the last byte of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// The connection is closed.
    Close,
    /// Nothing, until the client closes.
    Wait,
}

/// A server on this machine. It ends with the test's runtime.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) url: String,
    requests: Arc<Mutex<Vec<String>>>,
    closed: mpsc::UnboundedReceiver<()>,
}

impl Server {
    /// Starts a server that plays these answers, one a connection.
    pub(super) async fn play(answers: Vec<(Vec<u8>, Then)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (closing, closed) = mpsc::unbounded_channel();
        let kept = Arc::clone(&requests);
        tokio::spawn(async move {
            for (answer, then) in answers {
                let (mut socket, _) = listener.accept().await.unwrap();
                let request = read_request(&mut socket).await;
                kept.lock().unwrap().push(request);
                // The client may be gone already; that is for the test to say.
                drop(socket.write_all(&answer).await);
                if then == Then::Wait {
                    drop(socket.read(&mut [0; 64]).await);
                    closing.send(()).unwrap_or_default();
                }
            }
        });
        Self {
            url,
            requests,
            closed,
        }
    }

    /// Returns the requests so far, head and body.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until the client has closed a connection that the server kept open.
    pub(super) async fn saw_the_end(&mut self) {
        self.closed.recv().await.unwrap();
    }
}

/// An answer that closes the connection at its end.
pub(super) fn answer(status: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\nconnection: close\r\n");
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    [head.as_bytes(), body].concat()
}

/// An answer that is a stream of events.
pub(super) fn stream(body: &str) -> Vec<u8> {
    answer(
        "200 OK",
        &["content-type: text/event-stream"],
        body.as_bytes(),
    )
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = socket.read(&mut buffer).await.unwrap_or_default();
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let whole = text
            .split_once("\r\n\r\n")
            .is_some_and(|(head, body)| body.len() >= content_length(head));
        if whole || count == 0 {
            return text;
        }
    }
}

fn content_length(head: &str) -> usize {
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    let mut lengths = lines.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    lengths
        .next()
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or_default()
}
