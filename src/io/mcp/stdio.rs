//! The wire to a child process: one JSON message per line.
//!
//! In front of rmcp's own reading stands ours: stray lines are kept as noise instead of ending
//! the connection, odd answers are mended, and a call whose answer can't be read ends with an error
//! instead of waiting for ever.

pub(crate) mod book;
pub(crate) mod lines;
pub(crate) mod mend;
pub(crate) mod reading;

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcMessage, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;

use crate::io::mcp::stdio::book::Book;
use crate::io::mcp::stdio::lines::{Line, Lines};
use crate::io::mcp::stdio::reading::{Incoming, read, unreadable};

/// The longest line that is read, in bytes.
pub(crate) const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Hears of lines on stdout that are no messages.
pub(crate) type Noise = Arc<dyn Fn(&str) + Send + Sync>;

/// The wire. Dropping it ends its reader.
pub(crate) struct Stdio<W> {
    incoming: mpsc::Receiver<Option<ServerJsonRpcMessage>>,
    answers: mpsc::Sender<Option<ServerJsonRpcMessage>>,
    write: Arc<Mutex<Option<W>>>,
    book: Book,
    probe_limit: Option<Duration>,
    tasks: JoinSet<()>,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Stdio<W> {
    /// Begins to read. A `server/discover` that is not answered within `probe_limit` is answered
    /// in the server's place with "method not found", so that an old server costs little time.
    pub(crate) fn new<R>(read: R, write: W, noise: Noise, probe_limit: Option<Duration>) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
    {
        let (answers, incoming) = mpsc::channel(64);
        let book = Book::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(read_all(read, answers.clone(), book.clone(), noise));
        Self {
            incoming,
            answers,
            write: Arc::new(Mutex::new(Some(write))),
            book,
            probe_limit,
            tasks,
        }
    }

    /// Answers a `server/discover` that stays without an answer.
    fn watch_probe(&mut self, message: &ClientJsonRpcMessage) {
        let (JsonRpcMessage::Request(request), Some(limit)) = (message, self.probe_limit) else {
            return;
        };
        if request.request.method() != "server/discover" {
            return;
        }
        let (book, answers) = (self.book.clone(), self.answers.clone());
        let id = request.id.clone();
        self.tasks.spawn(async move {
            tokio::time::sleep(limit).await;
            let value: Value = id.into_json_value();
            if let Some((id, _)) = book.take(&value) {
                let silent = "no answer to server/discover";
                let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, silent, None);
                let answer = JsonRpcMessage::error(error, Some(id));
                // Nobody listens any more when this fails.
                answers.send(Some(answer)).await.unwrap_or(());
            }
        });
    }
}

async fn read_all<R: AsyncRead + Unpin>(
    from: R,
    to: mpsc::Sender<Option<ServerJsonRpcMessage>>,
    book: Book,
    noise: Noise,
) {
    let mut lines = Lines::new(from, LONGEST_LINE);
    while let Some(line) = lines.next().await {
        for incoming in take_in(line, &book) {
            match incoming {
                Incoming::Message(message) => {
                    if to.send(Some(*message)).await.is_err() {
                        return;
                    }
                }
                Incoming::Noise(text) => noise(&text),
                Incoming::Nothing => {}
            }
        }
    }
    to.send(None).await.unwrap_or(());
}

fn take_in(line: Line, book: &Book) -> Vec<Incoming> {
    match line {
        Line::Whole(bytes) => read(bytes, book),
        Line::TooLong { head, tail, length } => {
            let reason = format!(
                "the server's answer has {length} bytes on one line; the most that is read is {LONGEST_LINE}"
            );
            let noise = || Incoming::Noise(format!("(a line of {length} bytes was dropped)"));
            vec![unreadable(&head, &tail, reason, book).unwrap_or_else(noise)]
        }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleClient> for Stdio<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.book.note(&message);
        self.watch_probe(&message);
        let write = Arc::clone(&self.write);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut write = write.lock().await;
            let open = write.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            open.write_all(&line).await?;
            open.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.incoming.recv().await.flatten()
    }

    async fn close(&mut self) -> io::Result<()> {
        // A server that reads nothing can hold the writer for ever; then its process group is
        // signalled without having seen the end of its input.
        let limit = Duration::from_millis(200);
        if let Ok(mut write) = tokio::time::timeout(limit, self.write.lock()).await {
            drop(write.take());
        }
        Ok(())
    }
}
