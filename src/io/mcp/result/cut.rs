//! A result that is too long for the conversation: its beginning, and where the whole is.

use crate::chat::tool::{PartBody, ResultPart};
use crate::io::mcp::result::Save;

/// Keeps at most `most` bytes of the text in `parts`. If there is more, the whole text is saved and
/// a note at the end says how much is shown and where the rest is.
pub(crate) fn cut(parts: Vec<ResultPart>, most: usize, save: &Save) -> Vec<ResultPart> {
    let total: usize = parts.iter().filter_map(text).map(str::len).sum();
    if total <= most {
        return parts;
    }
    let whole: Vec<&str> = parts.iter().filter_map(text).collect();
    let place = match (save.0)(whole.join("\n").as_bytes()) {
        Ok(path) => format!("the whole result is in {path}"),
        Err(reason) => format!("the rest could not be saved: {reason}"),
    };
    let mut room = Some(most);
    let mut shown = 0;
    let mut kept = Vec::new();
    for part in parts {
        let part = shortened(part, &mut room);
        shown += part.as_ref().and_then(text).map_or(0, str::len);
        kept.extend(part);
    }
    kept.push(ResultPart::text(format!(
        "[Cut: {shown} of {total} bytes are shown; {place}.]"
    )));
    kept
}

fn text(part: &ResultPart) -> Option<&str> {
    match &part.body {
        PartBody::Text(text) => Some(text),
        PartBody::Image(_) | PartBody::Document(_) => None,
    }
}

/// Takes as much of a part as there is room for, whole characters only. After the first cut there
/// is no more room (`None`), so that nothing follows a gap.
fn shortened(mut part: ResultPart, room: &mut Option<usize>) -> Option<ResultPart> {
    let PartBody::Text(text) = &mut part.body else {
        return Some(part);
    };
    let end = beginning(text, (*room)?).len();
    *room = room.and_then(|room| room.checked_sub(text.len()));
    text.truncate(end);
    (end > 0).then_some(part)
}

/// Returns as many whole characters from the beginning of `text` as fit into `most` bytes.
pub(crate) fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or("")
}
