//! Writes to the terminal from a thread of its own: a terminal that stops reading (a frozen
//! window, a stalled connection) must not keep the program from hearing that it has to end.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

/// How often somebody who waits for the terminal looks whether the program has to end.
const LOOK: Duration = Duration::from_millis(50);

/// The program has been told to end: nobody waits for the terminal any more.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Makes every wait for the terminal short from now on.
pub(super) fn hurry() {
    ENDING.store(true, Ordering::Relaxed);
}

fn is_ending() -> bool {
    ENDING.load(Ordering::Relaxed)
}

/// The way to the terminal. What is written arrives in order, each piece whole.
#[derive(Debug)]
pub(super) struct Pen {
    pieces: Sender<Vec<u8>>,
    written: Receiver<io::Result<()>>,
    /// Pieces that were not waited for to the end.
    behind: usize,
}

impl Pen {
    /// Starts the thread. It ends with the pen, or with the program when the terminal takes nothing.
    pub(super) fn start(mut out: File) -> io::Result<Self> {
        let (pieces, queue) = channel::<Vec<u8>>();
        let (done, written) = channel();
        thread::Builder::new()
            .name("screen".into())
            .spawn(move || {
                for piece in queue {
                    if done.send(write_all(&mut out, &piece)).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self {
            pieces,
            written,
            behind: 0,
        })
    }

    /// Writes a piece and waits until the terminal has taken it.
    ///
    /// # Errors
    ///
    /// `Interrupted` when the program has to end before that; what the terminal says when it is gone.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.send(bytes)?;
        self.wait(is_ending)
    }

    /// The same, with a limit instead of a reason to stop.
    pub(super) fn write_within(&mut self, limit: Duration, bytes: &[u8]) -> io::Result<()> {
        self.send(bytes)?;
        let mut looks = limit.as_millis() / LOOK.as_millis();
        self.wait(|| {
            looks = looks.saturating_sub(1);
            looks == 0
        })
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pieces
            .send(bytes.to_vec())
            .map_err(|_unsent| io::Error::from(io::ErrorKind::BrokenPipe))?;
        self.behind += 1;
        Ok(())
    }

    fn wait(&mut self, mut is_too_long: impl FnMut() -> bool) -> io::Result<()> {
        while self.behind > 0 {
            match self.written.recv_timeout(LOOK) {
                Ok(outcome) => {
                    self.behind -= 1;
                    outcome?;
                }
                Err(RecvTimeoutError::Timeout) if is_too_long() => {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
        Ok(())
    }
}

fn write_all(out: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait_for_room(out)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Waits until a terminal that another program made non-blocking takes more.
fn wait_for_room(out: &File) -> io::Result<()> {
    match poll(&mut [PollFd::new(out, PollFlags::OUT)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::fd::OwnedFd;

    use super::*;

    fn pipe() -> (File, File) {
        let (reader, writer) = io::pipe().unwrap();
        (
            File::from(OwnedFd::from(reader)),
            File::from(OwnedFd::from(writer)),
        )
    }

    #[test]
    fn a_terminal_that_takes_nothing_holds_nobody_longer_than_allowed_and_loses_nothing() {
        let (mut reader, writer) = pipe();
        let mut pen = Pen::start(writer).unwrap();
        let much = vec![b'x'; 1 << 20];
        let stopped = pen
            .write_within(Duration::from_millis(1), &much)
            .unwrap_err();
        assert_eq!(stopped.kind(), io::ErrorKind::Interrupted);
        let reading = thread::spawn(move || {
            let mut all = Vec::new();
            reader.read_to_end(&mut all).unwrap();
            all
        });
        // In order behind what was stuck.
        pen.write(b"end").unwrap();
        drop(pen);
        let all = reading.join().unwrap();
        assert_eq!(all.len(), much.len() + 3);
        assert!(all.ends_with(b"xend"));
    }

    #[test]
    fn a_terminal_that_is_gone_is_told_as_an_error() {
        let (reader, writer) = pipe();
        let mut pen = Pen::start(writer).unwrap();
        drop(reader);
        let error = pen.write(b"anybody?").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
