//! Installs the other programs once, also when many tests begin at the same time.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The npm packages, pinned.
const NPM: [&str; 2] = [
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@copilotkit/aimock@1.43.0",
];

/// The Python packages, pinned.
const PYPI: [&str; 1] = ["mcp-server-time==2026.10.19"];

fn folder() -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tmp.parent()
        .expect("it lies in the target folder")
        .join("interop")
}

/// Returns the program of an npm package, installed.
pub fn node_program(package: &str, file: &str) -> Option<String> {
    let folder = installed("npm", &NPM, |folder| {
        fs::write(folder.join("package.json"), "{\"private\":true}").map_err(|e| e.to_string())?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .args(NPM);
        succeed(npm.current_dir(folder))
    })?;
    Some(
        folder
            .join("node_modules")
            .join(package)
            .join(file)
            .display()
            .to_string(),
    )
}

/// Returns the program of a Python package, installed.
pub fn python_program(name: &str) -> Option<String> {
    let folder = installed("pypi", &PYPI, |folder| {
        succeed(
            Command::new("python3")
                .args(["-m", "venv", "."])
                .current_dir(folder),
        )?;
        let mut pip = Command::new(folder.join("bin/pip"));
        succeed(
            pip.args(["install", "--quiet", "--disable-pip-version-check"])
                .args(PYPI),
        )
    })?;
    Some(folder.join("bin").join(name).display().to_string())
}

/// Runs `install` in a fresh folder unless these packages are there already.
fn installed(
    name: &str,
    packages: &[&str],
    install: impl FnOnce(&Path) -> Result<(), String>,
) -> Option<PathBuf> {
    let folder = folder().join(name);
    let done = folder.join("installed.txt");
    fs::create_dir_all(&folder).expect("a folder below target can be made");
    let lock = File::create(folder.with_extension("lock")).expect("a lock file can be made");
    lock.lock().expect("a lock can be waited for");
    if fs::read_to_string(&done).is_ok_and(|text| text == packages.join("\n")) {
        return Some(folder);
    }
    if let Err(reason) = install(&folder) {
        return not_run(&format!("{name} packages could not be installed: {reason}"));
    }
    fs::write(&done, packages.join("\n")).expect("a marker can be written");
    Some(folder)
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!(
        "{}: {}",
        output.status,
        said.chars().take(2000).collect::<String>()
    ))
}

/// Says that a test was not run; in CI that is a failure.
#[expect(clippy::print_stderr, reason = "a test that was not run has to say so")]
fn not_run<T>(reason: &str) -> Option<T> {
    assert!(env::var("CI").as_deref() != Ok("true"), "{reason}");
    eprintln!("not run: {reason}");
    None
}
