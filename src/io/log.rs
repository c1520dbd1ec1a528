//! The debug log: a private file, redacted, and only when it is asked for.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::redact::Redactor;

/// A log that has grown to this is put aside.
const MOST_BYTES: u64 = 5 << 20;
/// What is logged when nothing else is asked for.
const DEFAULT_FILTER: &str = "info,keytide=debug,rmcp=warn";

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The filter can't be read.
    #[error(
        "`{filter}` is not a log filter (write `debug` or `keytide=trace,rmcp=info`): {reason}"
    )]
    Filter {
        /// The filter.
        filter: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file can't be opened.
    #[error("the log {} can't be written: {reason}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why not.
        reason: io::Error,
    },
    /// Somebody logs already.
    #[error("the log can't be started: {0}")]
    Twice(String),
}

/// Starts to log to a file. An empty filter is the default one.
///
/// # Errors
///
/// When nothing can be logged.
pub fn start(file: &Path, filter: &str, redactor: Arc<Redactor>) -> Result<(), LogError> {
    let filter = filter_of(filter)?;
    let log = Log::open(file, redactor).map_err(|reason| LogError::File {
        file: file.to_owned(),
        reason,
    })?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(log)
        .with_ansi(false)
        .try_init()
        .map_err(|error| LogError::Twice(error.to_string()))
}

/// The MCP library logs whole messages, with what is secret in them, in pieces; it is asked for by
/// name or not at all.
fn filter_of(asked: &str) -> Result<EnvFilter, LogError> {
    let text = match asked {
        "" => DEFAULT_FILTER.to_owned(),
        asked if asked.contains("rmcp") => asked.to_owned(),
        asked => format!("rmcp=warn,{asked}"),
    };
    EnvFilter::builder()
        .parse(&text)
        .map_err(|error| LogError::Filter {
            filter: asked.to_owned(),
            reason: error.to_string(),
        })
}

/// The file, shared by all threads.
#[derive(Clone)]
struct Log {
    open: Arc<Mutex<Open>>,
    redactor: Arc<Redactor>,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

struct Open {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl Log {
    fn open(path: &Path, redactor: Arc<Redactor>) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
        }
        let (file, bytes) = append_to(path)?;
        let path = path.to_owned();
        let mut open = Open { path, file, bytes };
        open.rotate()?;
        Ok(Self {
            open: Arc::new(Mutex::new(open)),
            redactor,
        })
    }
}

impl Open {
    fn write(&mut self, text: &str) -> io::Result<()> {
        self.rotate()?;
        self.file.write_all(text.as_bytes())?;
        self.bytes += u64::try_from(text.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    /// Puts a full log aside, in place of the one before.
    fn rotate(&mut self) -> io::Result<()> {
        if self.bytes < MOST_BYTES {
            return Ok(());
        }
        let mut aside = self.path.clone().into_os_string();
        aside.push(".1");
        fs::rename(&self.path, aside)?;
        (self.file, self.bytes) = append_to(&self.path)?;
        Ok(())
    }
}

/// Opens a log for its owner alone; refuses a link in its place.
fn append_to(path: &Path) -> io::Result<(File, u64)> {
    let no_link = rustix::fs::OFlags::NOFOLLOW.bits();
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(i32::try_from(no_link).unwrap_or_default())
        .open(path)?;
    let data = file.metadata()?;
    if data.permissions().mode() & 0o077 != 0 {
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok((file, data.len()))
}

/// One event on its way to the file: redacted when it is whole.
struct Line {
    log: Log,
    bytes: Vec<u8>,
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let text = String::from_utf8_lossy(&self.bytes);
        let redacted = self.log.redactor.text(&text);
        let mut open = self.log.open.lock().unwrap_or_else(PoisonError::into_inner);
        // A log that can't be written must not stop what it is about.
        open.write(&redacted).ok();
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line {
            log: self.clone(),
            bytes: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::Arc;

    use super::{Log, MOST_BYTES, filter_of};
    use crate::redact::Redactor;

    fn log_to(file: &std::path::Path, lines: &[&str]) {
        let log = Log::open(file, Arc::new(Redactor::default())).unwrap();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(log)
            .with_ansi(false)
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            for line in lines {
                tracing::info!("{line}");
            }
        });
    }

    #[test]
    fn the_log_is_private_and_grows_at_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/keytide.log");
        log_to(&file, &["one"]);
        log_to(&file, &["two"]);
        let text = std::fs::read_to_string(&file).unwrap();
        let ends: Vec<&str> = text
            .lines()
            .filter_map(|line| line.get(line.len() - 3..))
            .collect();
        assert_eq!(ends, ["one", "two"]);
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&file) & 0o777, 0o600);
        assert_eq!(mode(file.parent().unwrap()) & 0o777, 0o700);
    }

    #[test]
    fn a_full_log_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keytide.log");
        std::fs::write(&file, vec![b'x'; usize::try_from(MOST_BYTES).unwrap()]).unwrap();
        log_to(&file, &["new"]);
        let aside = folder.path().join("keytide.log.1");
        assert_eq!(std::fs::metadata(aside).unwrap().len(), MOST_BYTES);
        assert!(std::fs::metadata(&file).unwrap().len() < 200);
    }

    #[test]
    fn a_link_in_its_place_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        std::fs::write(&victim, "mine").unwrap();
        let file = folder.path().join("keytide.log");
        symlink(&victim, &file).unwrap();
        assert!(Log::open(&file, Arc::new(Redactor::default())).is_err());
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
    }

    #[test]
    fn filters_keep_the_mcp_library_quiet_unless_it_is_named() {
        assert_eq!(filter_of("debug").unwrap().to_string(), "rmcp=warn,debug");
        assert_eq!(filter_of("rmcp=trace").unwrap().to_string(), "rmcp=trace");
        assert!(filter_of("").is_ok());
        assert!(filter_of("keytide=loud").is_err());
    }
}
