//! What the system asks of the program.

use std::io;

use tokio::signal::unix::{self, SignalKind, signal};
use tokio::task::JoinSet;

use crate::app::event::Signal;
use crate::io::terminal::pen;

/// Hears the signals that mean something here. From the first one on, none of them ends the
/// program by itself.
#[derive(Debug)]
pub struct Signals {
    interrupt: unix::Signal,
    terminate: unix::Signal,
    quit: unix::Signal,
    hang_up: unix::Signal,
    go_on: unix::Signal,
    /// The loop may be waiting for the terminal while a signal comes.
    _watching: JoinSet<()>,
}

impl Signals {
    /// Begins to listen. Call it inside a tokio runtime.
    pub fn listen() -> io::Result<Self> {
        let mut watching = JoinSet::new();
        for kind in [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::quit(),
            SignalKind::hangup(),
        ] {
            let mut ends = signal(kind)?;
            watching.spawn(async move {
                ends.recv().await;
                pen::hurry();
            });
        }
        Ok(Self {
            _watching: watching,
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            quit: signal(SignalKind::quit())?,
            hang_up: signal(SignalKind::hangup())?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    /// Waits for the next signal. Cancel-safe.
    pub async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
            _ = self.quit.recv() => Signal::Terminate,
            _ = self.hang_up.recv() => Signal::HangUp,
            _ = self.go_on.recv() => Signal::Continue,
        }
    }
}
