//! What must not compile: proof that nobody but the gate and the redactor makes their proofs.
//!
//! Each file in `tests/compile_fail/` marks the lines that must be refused, and with which error:
//! `//~ E0451`. The compiler is asked about the library that these tests are linked with, so
//! nothing is built a second time.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::layers::{project, rust_files};

/// A line and the code of the error on it.
type Refusals = BTreeSet<(u64, String)>;

#[test]
fn proofs_can_be_made_copied_and_left_out_by_nobody() {
    let compiler = Compiler::of_this_test();
    let files = rust_files(&project().join("tests/compile_fail"));
    assert!(files.len() > 5, "the files are there");
    for file in files {
        let wanted = marks(&fs::read_to_string(&file).expect("the file can be read"));
        assert_eq!(compiler.refusals(&file), wanted, "{}", file.display());
    }
}

struct Compiler {
    library: PathBuf,
    dependencies: PathBuf,
}

impl Compiler {
    /// Finds the library that this test program was linked with: the newest one beside it.
    fn of_this_test() -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let dependencies = program.parent().expect("it lies in a folder").to_owned();
        let is_library = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libkeytide-") && name.ends_with(".rlib")
        };
        let library = fs::read_dir(&dependencies)
            .expect("the folder can be read")
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(is_library)
            .max_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok())
            .expect("the library was built");
        Self {
            library,
            dependencies,
        }
    }

    fn refusals(&self, file: &Path) -> Refusals {
        let out = tempfile::tempdir().expect("a folder for the output");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
        let mut library = OsString::from("keytide=");
        library.push(&self.library);
        let mut dependencies = OsString::from("dependency=");
        dependencies.push(&self.dependencies);
        let output = Command::new(rustc)
            .args(["--edition=2024", "--crate-type=lib", "--emit=metadata"])
            .args(["--error-format=json", "--cap-lints=allow", "--out-dir"])
            .arg(out.path())
            .arg("--extern")
            .arg(library)
            .arg("-L")
            .arg(dependencies)
            .arg(file)
            .output()
            .expect("the compiler can be started");
        let text = String::from_utf8_lossy(&output.stderr);
        let refusals: Refusals = text.lines().filter_map(refusal).collect();
        assert!(
            output.status.success() || !refusals.is_empty(),
            "{}: {text}",
            file.display()
        );
        refusals
    }
}

/// Reads one diagnostic: the line of its main place and its code.
fn refusal(line: &str) -> Option<(u64, String)> {
    let diagnostic: Value = serde_json::from_str(line).ok()?;
    let code = diagnostic["code"]["code"].as_str()?;
    let spans = diagnostic["spans"].as_array()?;
    let main = spans.iter().find(|span| span["is_primary"] == true)?;
    (diagnostic["level"] == "error").then(|| {
        let line = main["line_start"].as_u64().unwrap_or_default();
        (line, code.to_owned())
    })
}

fn marks(source: &str) -> Refusals {
    let mark = |(number, line): (u64, &str)| {
        let (_, code) = line.split_once("//~ ")?;
        Some((number, code.trim().to_owned()))
    };
    (1..).zip(source.lines()).filter_map(mark).collect()
}
