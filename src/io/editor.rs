//! The person's own editor, on a private file that is gone afterwards.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use tokio::process::Command;
use uuid::Uuid;

/// The editor that everybody has.
const LAST_RESORT: &str = "vi";

/// Why there is no new text. The draft stays as it was.
#[derive(Debug, thiserror::Error)]
pub enum EditorError {
    /// There is no such program.
    #[error("the editor `{program}` did not start: {reason}; set VISUAL or EDITOR")]
    NotStarted {
        /// What was tried.
        program: String,
        /// Why it failed.
        reason: io::Error,
    },
    /// It ended with an error, which is how an editor is told to forget the text.
    #[error("the editor `{program}` ended with {status}")]
    Failed {
        /// What ran.
        program: String,
        /// How it ended.
        status: std::process::ExitStatus,
    },
    /// The file could not be written or read.
    #[error("the file for the editor can't be used: {0}")]
    File(#[from] io::Error),
    /// The editor left something that is not text.
    #[error("the editor left a file that is not UTF-8 text")]
    NotText(#[from] std::string::FromUtf8Error),
}

/// Returns the editor's command from `VISUAL` and `EDITOR`, split into words. No shell is involved.
pub fn command(visual: Option<&str>, editor: Option<&str>) -> Vec<String> {
    [visual, editor, Some(LAST_RESORT)]
        .into_iter()
        .flatten()
        .map(split)
        .find(|words| !words.is_empty())
        .unwrap_or_default()
}

/// Lets the person edit a text and returns what is in the file afterwards. The terminal must have
/// been lent for the time.
///
/// # Errors
///
/// When there is no new text. The file is removed either way.
pub async fn edit(command: &[String], folder: &Path, text: &str) -> Result<String, EditorError> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(EditorError::File(io::ErrorKind::NotFound.into()));
    };
    let file = Draft::write(folder, text)?;
    let status = Command::new(program)
        .args(arguments)
        .arg(&file.0)
        .kill_on_drop(true)
        .status()
        .await
        .map_err(|reason| EditorError::NotStarted {
            program: program.clone(),
            reason,
        })?;
    if !status.success() {
        return Err(EditorError::Failed {
            program: program.clone(),
            status,
        });
    }
    let mut text = String::from_utf8(fs::read(&file.0)?)?;
    // Editors end the last line; nobody typed that.
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}

/// The file while it exists.
struct Draft(PathBuf);

impl Draft {
    /// Writes a file that only its owner can read; never through a link that waits there.
    fn write(folder: &Path, text: &str) -> io::Result<Self> {
        let path = folder.join(format!("keytide-{}.md", Uuid::now_v7().simple()));
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        let draft = Self(path);
        file.write_all(text.as_bytes())?;
        Ok(draft)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Gone already is as good.
        fs::remove_file(&self.0).ok();
    }
}

/// Splits a command into words as a shell would, with quotes and backslashes but nothing else.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == char => quote = None,
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (_, char) => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{command, edit, split};

    fn files(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    fn script(folder: &Path, body: &str) -> Vec<String> {
        let path = folder.join("my editor");
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
        vec![path.to_str().unwrap().to_owned(), "--wait".to_owned()]
    }

    #[test]
    fn commands_are_split_like_a_shell_does_without_running_one() {
        for (text, words) in [
            ("code --wait", vec!["code", "--wait"]),
            ("'/opt/my editor/bin' -f", vec!["/opt/my editor/bin", "-f"]),
            (r#""a b"c  \"d\" ''"#, vec!["a bc", "\"d\"", ""]),
            (
                "vim -c 'set tw=0; $(x)'",
                vec!["vim", "-c", "set tw=0; $(x)"],
            ),
            (r"'a\b' a\ b", vec![r"a\b", "a b"]),
            ("  ", vec![]),
        ] {
            assert_eq!(split(text), words, "{text}");
        }
    }

    #[test]
    fn visual_goes_over_editor_and_vi_is_always_there() {
        assert_eq!(command(Some("a -x"), Some("b")), ["a", "-x"]);
        assert_eq!(command(Some(" "), Some("b")), ["b"]);
        assert_eq!(command(None, None), ["vi"]);
    }

    #[tokio::test]
    async fn the_text_comes_back_changed_and_the_file_is_private_and_gone() {
        let (bin, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let editor = script(bin.path(), "stat -c %a \"$2\" >> \"$2\"");
        let text = edit(&editor, temp.path(), "潮水\n").await.unwrap();
        assert_eq!(text, "潮水\n600");
        assert_eq!(files(temp.path()), 0);
    }

    #[tokio::test]
    async fn an_editor_that_fails_leaves_the_draft_and_no_file() {
        let (bin, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let editor = script(bin.path(), "exit 3");
        let error = edit(&editor, temp.path(), "x").await.unwrap_err();
        assert!(
            error.to_string().ends_with("ended with exit status: 3"),
            "{error}"
        );
        assert_eq!(files(temp.path()), 0);
        let missing = vec!["/no/such/editor".to_owned()];
        let error = edit(&missing, temp.path(), "x").await.unwrap_err();
        assert!(error.to_string().contains("did not start"), "{error}");
        assert_eq!(files(temp.path()), 0);
    }
}
