//! Transcripts as lines of text, for `keytide transcripts list|show|path`.

use crate::io::store::library::{FindError, Library};
use crate::transcript::report;
use crate::transcript::summary::Summary;

/// `keytide transcripts list`: one line each, newest first.
pub fn list(library: &Library) -> Vec<String> {
    library.list().iter().map(line).collect()
}

/// `keytide transcripts show ID`.
pub fn show(library: &Library, id: &str) -> Result<Vec<String>, String> {
    let id = library.find(id).map_err(|error| sentence(&error))?;
    let replay = library
        .load(&id)
        .map_err(|error| format!("The transcript `{id}` can't be read: {error}."))?;
    Ok(report::lines(&replay))
}

/// `keytide transcripts path [ID]`: a file, or the folder of all.
pub fn path(library: &Library, id: Option<&str>) -> Result<String, String> {
    let Some(id) = id else {
        return Ok(library.folder().display().to_string());
    };
    let id = library.find(id).map_err(|error| sentence(&error))?;
    let path = library.path(&id).map(|path| path.display().to_string());
    path.ok_or_else(|| format!("The transcript `{id}` is gone."))
}

fn line(summary: &Summary) -> String {
    report::summary_line(summary)
}

fn sentence(error: &FindError) -> String {
    match error {
        FindError::None(beginning) => format!(
            "No transcript has an id like `{beginning}`. `keytide transcripts list` shows all of them."
        ),
        FindError::Several { beginning, ids } => format!(
            "`{beginning}` fits more than one transcript: {}. Give more of the id.",
            ids.join(", ")
        ),
    }
}
