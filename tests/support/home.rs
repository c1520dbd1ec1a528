//! A fresh home for one run: HOME, the XDG folders, a working folder, and a mark.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::secrets;

/// Folders that exist only for one test.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    /// Stands in the environment of every process of the run.
    pub mark: String,
}

impl Home {
    /// Makes an empty home.
    pub fn new() -> Self {
        let folder = TempDir::with_prefix("keytide-").expect("a temporary folder can be made");
        let home = Self {
            folder,
            mark: format!("mark-{}", secrets::mark()),
        };
        for name in ["home", "config", "data", "state", "cache", "tmp", "work"] {
            fs::create_dir(home.path().join(name)).expect("a folder of the home can be made");
        }
        fs::create_dir(home.config()).expect("the configuration folder can be made");
        home
    }

    /// The folder around everything.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `CONFIG` of the contract.
    pub fn config(&self) -> PathBuf {
        self.path().join("config/keytide")
    }

    /// `DATA` of the contract.
    pub fn data(&self) -> PathBuf {
        self.path().join("data/keytide")
    }

    /// The working folder.
    pub fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    /// Where the servers have their parts and logs: they hold what was sent to them in clear.
    pub fn servers(&self) -> PathBuf {
        self.path().join("servers")
    }

    /// The folders in which no secret may be found.
    pub fn own_folders(&self) -> Vec<PathBuf> {
        let names = ["home", "config", "data", "state", "cache", "tmp", "work"];
        names.iter().map(|name| self.path().join(name)).collect()
    }

    /// Writes `config.toml`.
    pub fn write_config(&self, text: &str) {
        fs::write(self.config().join("config.toml"), text).expect("a configuration is written");
    }

    /// Writes the user's `mcp.json`.
    pub fn write_servers(&self, servers: &Value) {
        let text = serde_json::to_string_pretty(&json!({"mcpServers": servers}));
        let text = text.expect("JSON can be written");
        fs::write(self.config().join("mcp.json"), text).expect("mcp.json is written");
    }

    /// The transcripts on the disk, sorted by name.
    pub fn transcripts(&self) -> Vec<PathBuf> {
        let all = secrets::files(&self.data().join("transcripts")).into_iter();
        all.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
            .collect()
    }

    /// The environment of a run.
    pub fn environment(&self) -> Vec<(String, String)> {
        let path = |name: &str| self.path().join(name).display().to_string();
        let fixed = [
            ("HOME", path("home")),
            ("XDG_CONFIG_HOME", path("config")),
            ("XDG_DATA_HOME", path("data")),
            ("XDG_STATE_HOME", path("state")),
            ("XDG_CACHE_HOME", path("cache")),
            ("TMPDIR", path("tmp")),
            ("PATH", search_path().to_owned()),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("TG_MARK", self.mark.clone()),
        ];
        fixed
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// PATH with the folder of the real Python in front: a version manager's stand-in looks for its
/// files in HOME, which is another one here.
pub fn search_path() -> &'static str {
    static FOUND: OnceLock<String> = OnceLock::new();
    FOUND.get_or_init(|| {
        let path = env::var("PATH").unwrap_or_default();
        let asked = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output();
        let python = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        match python.as_deref().map(Path::new).ok().and_then(Path::parent) {
            Some(folder) => format!("{}:{path}", folder.display()),
            None => path,
        }
    })
}
