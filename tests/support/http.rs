//! A request as it came over the wire, and an answer written byte by byte.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::reply::{Reply, Step};

/// What a client sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// When the whole of it had arrived.
    pub at: Instant,
    /// `GET`, `POST`.
    pub method: String,
    /// Path with its query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The bytes of the body.
    pub body: Vec<u8>,
}

impl Request {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The messages of a request to the model.
    pub fn messages(&self) -> Vec<Value> {
        self.json()["messages"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    /// The names of the tools that a request to the model offers.
    pub fn tool_names(&self) -> Vec<String> {
        let tools = self.json()["tools"].as_array().cloned().unwrap_or_default();
        let name = |tool: &Value| tool["name"].as_str().map(str::to_owned);
        tools.iter().filter_map(name).collect()
    }

    /// The blocks of the last message.
    pub fn last_blocks(&self) -> Vec<Value> {
        let last = self.messages().pop().unwrap_or_default();
        match &last["content"] {
            Value::String(text) => vec![serde_json::json!({"type": "text", "text": text})],
            other => other.as_array().cloned().unwrap_or_default(),
        }
    }

    /// The results in the last message: id, whether it is an error, text.
    pub fn results(&self) -> Vec<(String, bool, String)> {
        let blocks = self.last_blocks();
        let results = blocks.iter().filter(|block| block["type"] == "tool_result");
        results
            .map(|block| {
                let id = block["tool_use_id"].as_str().unwrap_or_default().to_owned();
                (id, block["is_error"] == true, text_of(&block["content"]))
            })
            .collect()
    }
}

/// All text of a message's or a result's content.
pub fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Reads one request; none at the end of the connection.
pub fn read_request(stream: &TcpStream) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request {
        at: Instant::now(),
        method,
        path,
        headers,
        body: Vec::new(),
    };
    request.body = read_body(&mut reader, &request)?;
    request.at = Instant::now();
    Ok(Some(request))
}

fn read_body(reader: &mut impl BufRead, request: &Request) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    if request.header("transfer-encoding") == Some("chunked") {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size)?;
            let size = u64::from_str_radix(size.trim(), 16).unwrap_or(0);
            reader.by_ref().take(size).read_to_end(&mut body)?;
            reader.read_line(&mut String::new())?;
            if size == 0 {
                return Ok(body);
            }
        }
    }
    let length = request
        .header("content-length")
        .and_then(|text| text.parse().ok());
    reader.take(length.unwrap_or(0)).read_to_end(&mut body)?;
    Ok(body)
}

/// Writes a reply; ends early when the client is gone or the server stops.
pub fn write_reply(stream: &mut TcpStream, reply: &Reply, over: &AtomicBool) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut head = format!(
        "HTTP/1.1 {} Scripted\r\nconnection: close\r\n",
        reply.status
    );
    for (name, value) in &reply.headers {
        head = head + name + ": " + value + "\r\n";
    }
    if !reply.unframed {
        head.push_str("transfer-encoding: chunked\r\n");
    }
    stream.write_all((head + "\r\n").as_bytes())?;
    for step in &reply.steps {
        match step {
            Step::Bytes(bytes) => write_piece(stream, reply, bytes)?,
            Step::Drip(bytes, size, pause) => {
                for piece in bytes.chunks(*size) {
                    write_piece(stream, reply, piece)?;
                    thread::sleep(*pause);
                }
            }
            Step::Pause(pause) => idle(stream, over, Instant::now() + *pause)?,
            Step::Wait(latch) => {
                while !latch.wait(Duration::from_millis(20)) {
                    idle(stream, over, Instant::now())?;
                }
            }
            Step::Hang => idle(stream, over, Instant::now() + Duration::from_secs(3600))?,
            Step::Drop => return Ok(()),
        }
    }
    if !reply.unframed {
        stream.write_all(b"0\r\n\r\n")?;
    }
    Ok(())
}

fn write_piece(stream: &mut TcpStream, reply: &Reply, bytes: &[u8]) -> io::Result<()> {
    if reply.unframed {
        return stream.write_all(bytes);
    }
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    stream.write_all(&chunk)
}

/// Does nothing until then; an error when the client is gone or the server stops.
fn idle(stream: &TcpStream, over: &AtomicBool, until: Instant) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_millis(10)))?;
    loop {
        let gone = match stream.peek(&mut [0]) {
            Ok(count) => count == 0,
            Err(error) => !matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
            ),
        };
        if gone || over.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        if Instant::now() >= until {
            return Ok(());
        }
    }
}
