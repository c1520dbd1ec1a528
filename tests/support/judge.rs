//! The oracles that hold in every case: U1 to U6.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::census;
use super::modes;
use super::pty::Ended;
use super::run::Run;
use super::secrets;

/// How long an end may take, and what is left may stay.
const END: Duration = Duration::from_secs(5);

impl Run {
    /// Quits and judges the whole run.
    pub fn finish(mut self) {
        self.end_by_quitting();
        self.judge();
    }

    /// Quits; the program may be opened again afterwards.
    pub fn end_by_quitting(&mut self) {
        assert!(
            self.pty.is_running(),
            "U1: the program ended by itself\n{}",
            self.pty.screen()
        );
        self.ask_to_quit();
        let ended = self.pty.wait_end(END);
        assert_eq!(
            ended,
            Some(Ended::Code(0)),
            "quitting:\n{}",
            self.pty.screen()
        );
    }

    /// Waits for an end that was asked for in another way, with this exit code, and judges.
    pub fn ends_with(mut self, code: u32) {
        let ended = self.pty.wait_end(END);
        assert_eq!(ended, Some(Ended::Code(code)), "{}", self.pty.screen());
        self.judge();
    }

    /// Judges a run that has ended by itself, by a key or by a signal.
    pub fn judge(&mut self) {
        self.judge_words();
        self.judge_requests();
        self.judge_terminal();
        self.judge_processes();
    }

    /// U1: nothing panicked.
    fn judge_words(&self) {
        let said = modes::without_escapes(&self.pty.log());
        assert!(!said.contains("panicked at"), "U1: it panicked:\n{said}");
        for folder in self.stage.home.own_folders() {
            for file in secrets::files(&folder) {
                let text = fs::read(&file).unwrap_or_default();
                let text = String::from_utf8_lossy(&text);
                assert!(
                    !text.contains("panicked at"),
                    "U1: {} tells of a panic",
                    file.display()
                );
            }
        }
    }

    /// U2 and U3: the service would have taken every request, and every call was approved.
    pub fn judge_requests(&self) {
        assert_eq!(self.stage.api.refusals(), Vec::<String>::new(), "U2");
        assert_eq!(self.stage.calls(), self.approved, "U3: calls and approvals");
    }

    /// U5: the terminal is as it was.
    fn judge_terminal(&self) {
        let (before, after) = self.pty.settings();
        if let Some(after) = after {
            assert_eq!(before, after, "U5: settings");
            let nothing = modes::Left {
                on_main_screen: true,
                ..modes::Left::default()
            };
            assert_eq!(modes::left_by(&self.pty.log()), nothing, "U5: modes");
        }
    }

    /// U6: nobody is left.
    pub fn judge_processes(&self) {
        let left = census::left_after(&self.stage.home.mark, END);
        assert_eq!(left, [], "U6");
    }

    /// No screen, no byte and no file holds one of these marks.
    pub fn judge_secrets(&self, marks: &[&str]) {
        for frame in self.pty.frames() {
            let joined = frame.replace('\n', "");
            for text in [&frame, &joined] {
                let found = secrets::found_in(marks, text);
                assert!(found.is_empty(), "{found:?} on this screen:\n{frame}");
            }
        }
        let said = modes::without_escapes(&self.pty.log());
        assert_eq!(
            secrets::found_in(marks, &said),
            Vec::<&str>::new(),
            "in the bytes"
        );
        let folders = self.stage.home.own_folders();
        let folders: Vec<&Path> = folders.iter().map(AsRef::as_ref).collect();
        assert_eq!(secrets::found_on_disk(marks, &folders), [], "on the disk");
    }
}
