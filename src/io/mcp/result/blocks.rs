//! The blocks of a result, each made into a part or into a note that names it.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::Value;

use crate::chat::tool::{Audience, Media, PartBody, ResultPart};
use crate::io::mcp::result::Save;
use crate::io::mcp::result::cut::beginning;

/// The largest picture or document that goes into the conversation, in bytes of base64. Services
/// refuse more than 5 MiB.
const LARGEST_MEDIA: usize = 5 * 1024 * 1024;

/// How much of a block of an unknown kind is shown, in bytes.
const SHOWN_OF_UNKNOWN: usize = 2_000;

/// Pictures that models take.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Makes parts from blocks.
#[derive(Debug)]
pub(crate) struct Blocks<'a> {
    /// Keeps what can't go into the conversation.
    pub save: &'a Save,
}

impl Blocks<'_> {
    /// Makes a part from one block. Blank text gives nothing.
    pub(crate) fn part(&self, block: &Value) -> Option<ResultPart> {
        let body = match text_of(block, "type") {
            "text" => PartBody::Text(text_of(block, "text").to_owned()),
            "image" => self.media(
                text_of(block, "mimeType"),
                text_of(block, "data"),
                "image",
                "",
            ),
            "audio" => self.saved(
                text_of(block, "mimeType"),
                text_of(block, "data"),
                "audio",
                "",
            ),
            "resource_link" => PartBody::Text(link(block)),
            "resource" => self.resource(block.get("resource").unwrap_or(&Value::Null), block),
            kind => PartBody::Text(unknown(kind, block)),
        };
        if matches!(&body, PartBody::Text(text) if text.trim().is_empty()) {
            return None;
        }
        Some(ResultPart {
            audience: audience(block),
            body,
        })
    }

    fn resource(&self, resource: &Value, block: &Value) -> PartBody {
        let (uri, mime) = (text_of(resource, "uri"), text_of(resource, "mimeType"));
        if let Some(text) = resource.get("text").and_then(Value::as_str) {
            return PartBody::Text(format!("{uri}\n{text}"));
        }
        match resource.get("blob").and_then(Value::as_str) {
            Some(blob) => self.media(mime, blob, "resource", uri),
            None => PartBody::Text(unknown("resource", block)),
        }
    }

    /// Takes a picture or document into the conversation if models take it, saves it otherwise.
    fn media(&self, mime: &str, data: &str, what: &str, uri: &str) -> PartBody {
        let bare = mime
            .split(';')
            .next()
            .unwrap_or("")
            .trim()
            .to_ascii_lowercase();
        let (is_picture, is_document) =
            (PICTURES.contains(&bare.as_str()), bare == "application/pdf");
        let bytes = decoded(data).filter(|bytes| !bytes.is_empty());
        let base64 = bytes.map(|bytes| STANDARD.encode(bytes));
        match base64.filter(|base64| base64.len() <= LARGEST_MEDIA) {
            Some(base64) if is_picture || is_document => {
                let media = Media {
                    media_type: bare,
                    base64: base64.into(),
                };
                if is_picture {
                    PartBody::Image(media)
                } else {
                    PartBody::Document(media)
                }
            }
            Some(_) | None => self.saved(mime, data, what, uri),
        }
    }

    /// Saves bytes and names them.
    fn saved(&self, mime: &str, data: &str, what: &str, uri: &str) -> PartBody {
        let mime = if mime.is_empty() {
            "unknown type"
        } else {
            mime
        };
        let name = if uri.is_empty() {
            String::new()
        } else {
            format!(" {uri}")
        };
        let head = format!("{what}{name}, {mime}");
        PartBody::Text(match decoded(data) {
            None => format!("[{head}: its data is not valid base64]"),
            Some(bytes) if bytes.is_empty() => format!("[{head}: empty]"),
            Some(bytes) => match (self.save.0)(&bytes) {
                Ok(path) => format!("[{head}, {} bytes, saved as {path}]", bytes.len()),
                Err(reason) => {
                    format!(
                        "[{head}, {} bytes, could not be saved: {reason}]",
                        bytes.len()
                    )
                }
            },
        })
    }
}

fn text_of<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or("")
}

/// Reads base64 in any of its spellings, blanks included.
fn decoded(data: &str) -> Option<Vec<u8>> {
    let data: String = data.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let engines = [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD];
    engines.iter().find_map(|engine| engine.decode(&data).ok())
}

fn audience(block: &Value) -> Audience {
    let named = block
        .get("annotations")
        .and_then(|notes| notes.get("audience"));
    let named = named.and_then(Value::as_array).map(Vec::as_slice);
    let has = |who: &str| named.unwrap_or_default().iter().any(|name| name == who);
    match (has("user"), has("assistant")) {
        (true, false) => Audience::Person,
        (false, true) => Audience::Model,
        (true, true) | (false, false) => Audience::Everybody,
    }
}

fn link(block: &Value) -> String {
    let mut text = String::from("Resource link");
    let lines = [
        ("name", "name"),
        ("uri", "uri"),
        ("type", "mimeType"),
        ("description", "description"),
    ];
    for (label, member) in lines {
        let value = text_of(block, member);
        if !value.is_empty() {
            // Writing into a string cannot fail.
            write!(text, "\n{label}: {value}").unwrap_or(());
        }
    }
    if let Some(size) = block.get("size").and_then(Value::as_u64) {
        write!(text, "\nsize: {size} bytes").unwrap_or(());
    }
    text
}

fn unknown(kind: &str, block: &Value) -> String {
    let json = block.to_string();
    let shown = beginning(&json, SHOWN_OF_UNKNOWN);
    let more = if shown.len() < json.len() { "…" } else { "" };
    format!("[content of the unknown kind `{kind}`: {shown}{more}]")
}
