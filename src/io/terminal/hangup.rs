//! Notices when the terminal goes away, with or without SIGHUP.

use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;
use tokio::sync::oneshot;

/// Ends when the terminal is gone.
#[derive(Debug)]
pub(super) struct HangUp(oneshot::Receiver<()>);

impl HangUp {
    /// Starts to watch. The thread sleeps until then; it ends with the program.
    pub(super) fn watch() -> Self {
        let (gone, told) = oneshot::channel();
        thread::spawn(move || {
            // Asking for no event leaves the ones that are always told: hang-up and error.
            let nothing = PollFlags::empty();
            while let Ok(0) | Err(Errno::INTR | Errno::AGAIN) =
                poll(&mut [PollFd::new(&stdin(), nothing)], None)
            {}
            gone.send(()).ok();
        });
        Self(told)
    }

    /// Waits for the terminal to go away; after that, for ever.
    pub(super) async fn wait(&mut self) {
        if self.0.is_terminated() {
            std::future::pending::<()>().await;
        }
        if (&mut self.0).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
