//! Where configuration, data and state are kept.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf, absolute};

use directories::ProjectDirs;

/// The program's folders. None of them needs to exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// CONFIG: what a person sets.
    pub config: PathBuf,
    /// DATA: what a person keeps.
    pub data: PathBuf,
    /// STATE: logs.
    pub state: PathBuf,
}

/// The system tells no home folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no home folder is known; set HOME, or KEYTIDE_CONFIG_DIR and KEYTIDE_DATA_DIR")]
pub struct NoHome;

impl Places {
    /// Finds the folders: `--data-dir` before `KEYTIDE_DATA_DIR` before the system's place.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place that reads these two variables"
    )]
    pub fn find(data_dir: Option<&Path>) -> Result<Self, NoHome> {
        Self::find_in(&|name| env::var_os(name), data_dir)
    }

    /// The same, with the variables that move a folder given by `variable`.
    fn find_in(
        variable: &dyn Fn(&str) -> Option<OsString>,
        data_dir: Option<&Path>,
    ) -> Result<Self, NoHome> {
        let set = |name| {
            variable(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let config = set("KEYTIDE_CONFIG_DIR");
        let data = data_dir
            .map(Path::to_path_buf)
            .or_else(|| set("KEYTIDE_DATA_DIR"));
        match (ProjectDirs::from("", "", "keytide"), config, data) {
            (Some(usual), config, data) => Ok(Self {
                config: whole(config.unwrap_or_else(|| usual.config_dir().to_path_buf())),
                data: whole(data.unwrap_or_else(|| usual.data_dir().to_path_buf())),
                state: whole(
                    usual
                        .state_dir()
                        .unwrap_or_else(|| usual.data_local_dir())
                        .to_path_buf(),
                ),
            }),
            // Without a home the log goes where the data goes.
            (None, Some(config), Some(data)) => Ok(Self {
                config: whole(config),
                state: whole(data.clone()),
                data: whole(data),
            }),
            (None, _, _) => Err(NoHome),
        }
    }

    /// Returns the folder of the transcripts.
    pub fn transcripts(&self) -> PathBuf {
        self.data.join("transcripts")
    }

    /// Returns the folder of large results and pictures.
    pub fn blobs(&self) -> PathBuf {
        self.data.join("blobs")
    }
}

/// Makes a path absolute, so that a change of the working folder doesn't move it.
fn whole(path: PathBuf) -> PathBuf {
    absolute(&path).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::Places;
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    #[test]
    fn a_flag_beats_a_variable_and_an_empty_variable_is_none() {
        let variable = |name: &str| match name {
            "KEYTIDE_CONFIG_DIR" => Some(OsString::from("/c")),
            "KEYTIDE_DATA_DIR" => Some(OsString::from("/d")),
            _ => None,
        };
        let by_flag = Places::find_in(&variable, Some(Path::new("/flag"))).unwrap();
        assert_eq!(by_flag.config, PathBuf::from("/c"));
        assert_eq!(by_flag.data, PathBuf::from("/flag"));
        let by_variable = Places::find_in(&variable, None).unwrap();
        assert_eq!(by_variable.data, PathBuf::from("/d"));
        assert_eq!(by_variable.transcripts(), PathBuf::from("/d/transcripts"));
        let empty = Places::find_in(&|_| Some(OsString::new()), None).unwrap();
        assert!(empty.data.is_absolute() && empty.data != Path::new("/d"));
    }
}
