//! Lines that are typed or piped in, for the conversation without a screen.

use tokio::sync::mpsc;

use std::io::BufRead;

/// Lines of standard input, read by a thread of their own: a read can't be called off.
#[derive(Debug)]
pub struct StdinLines(mpsc::Receiver<String>);

impl StdinLines {
    /// Begins to read.
    pub fn start() -> Self {
        let (sender, lines) = mpsc::channel(64);
        // The thread ends with the input, or with the program.
        drop(std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        }));
        Self(lines)
    }

    /// Waits for the next line. Cancel-safe; nothing after the end of input.
    pub async fn next_line(&mut self) -> Option<String> {
        self.0.recv().await
    }
}
