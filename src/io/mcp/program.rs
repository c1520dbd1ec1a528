//! Which file a command means.

use std::path::{Path, PathBuf};

/// Why a command can't be started.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ProgramError {
    /// No such file.
    #[error("Its command `{0}` was not found.")]
    NotFound(String),
    /// A folder.
    #[error("Its command `{0}` is a folder.")]
    Folder(String),
    /// A file that may not be run.
    #[error("Its command `{0}` is not executable.")]
    NotExecutable(String),
    /// The working folder does not exist.
    #[error("Its working folder `{0}` does not exist.")]
    NoFolder(String),
    /// The system refused to start it.
    #[error("Its command `{0}` can't be started: {1}.")]
    Refused(String, String),
}

/// Finds the program: a name is looked for on `path`, anything with a separator is taken from
/// `folder` unless it is absolute.
pub(crate) fn find(command: &str, folder: &Path, path: &str) -> Result<PathBuf, ProgramError> {
    if cfg!(windows) {
        // The system knows about extensions.
        return Ok(PathBuf::from(command));
    }
    if command.contains('/') {
        return checked(folder.join(command), command);
    }
    let mut worst = ProgramError::NotFound(command.to_owned());
    for place in std::env::split_paths(path) {
        match checked(folder.join(place).join(command), command) {
            Ok(program) => return Ok(program),
            Err(ProgramError::NotFound(_)) => {}
            Err(error) => worst = error,
        }
    }
    Err(worst)
}

fn checked(program: PathBuf, command: &str) -> Result<PathBuf, ProgramError> {
    let command = || command.to_owned();
    match std::fs::metadata(&program) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            Err(ProgramError::Refused(command(), error.kind().to_string()))
        }
        Err(_) => Err(ProgramError::NotFound(command())),
        Ok(found) if found.is_dir() => Err(ProgramError::Folder(command())),
        Ok(found) if !is_executable(&found) => Err(ProgramError::NotExecutable(command())),
        Ok(_) => Ok(program),
    }
}

#[cfg(unix)]
fn is_executable(file: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_way_in_which_a_command_is_wrong_has_its_own_word() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("plain"), "x").unwrap();
        std::fs::create_dir(at("dir")).unwrap();
        std::os::unix::fs::symlink("/bin/sh", at("run")).unwrap();
        let path = folder.path().to_str().unwrap();
        let find = |command: &str| find(command, folder.path(), path);
        assert_eq!(find("run"), Ok(at("run")));
        assert_eq!(find("./run"), Ok(at("./run")));
        assert_eq!(
            find("no-such-bin"),
            Err(ProgramError::NotFound("no-such-bin".into()))
        );
        assert_eq!(find("./no"), Err(ProgramError::NotFound("./no".into())));
        assert_eq!(
            find("plain"),
            Err(ProgramError::NotExecutable("plain".into()))
        );
        assert_eq!(find("dir"), Err(ProgramError::Folder("dir".into())));
        assert_eq!(find("~"), Err(ProgramError::NotFound("~".into())));
    }
}
