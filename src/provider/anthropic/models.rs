//! The list of models: how it is asked for and read.

use serde::Deserialize;

use crate::provider::{ModelPage, OfferedModel};

/// Returns the path of the page after the model `after`.
pub(super) fn path(after: Option<&str>) -> String {
    let first = "/v1/models?limit=1000";
    after.map_or_else(
        || first.to_owned(),
        |id| format!("{first}&after_id={}", escaped(id)),
    )
}

/// Reads a page. Compatible servers leave fields out, so every field but the id is optional.
pub(super) fn page(body: &[u8]) -> Option<ModelPage> {
    let page: Page = serde_json::from_slice(body).ok()?;
    let models = page.data.into_iter().filter_map(Model::offered).collect();
    let next = page.last_id.filter(|_| page.has_more.unwrap_or(false));
    Some(ModelPage { models, next })
}

#[derive(Debug, Deserialize)]
struct Page {
    data: Vec<Model>,
    #[serde(default)]
    has_more: Option<bool>,
    #[serde(default)]
    last_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Model {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    display_name: Option<String>,
}

impl Model {
    fn offered(self) -> Option<OfferedModel> {
        let id = self.id?;
        let display_name = self.display_name.unwrap_or_else(|| id.clone());
        Some(OfferedModel { id, display_name })
    }
}

/// Writes an id so that it can stand in a query.
fn escaped(id: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let write = |byte: u8| {
        if keep(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    id.bytes().map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_compatible_server_needs_only_ids() {
        let body =
            br#"{"object":"list","data":[{"id":"qwen3:8b"},{"id":"m","display_name":"M"},{}]}"#;
        let model = |id: &str, name: &str| OfferedModel {
            id: id.into(),
            display_name: name.into(),
        };
        let models = vec![model("qwen3:8b", "qwen3:8b"), model("m", "M")];
        assert_eq!(page(body), Some(ModelPage { models, next: None }));
        assert_eq!(page(b"<html>"), None);
    }

    #[test]
    fn the_next_page_begins_after_the_last_id() {
        let body = br#"{"data":[{"id":"a"}],"has_more":true,"last_id":"a:b"}"#;
        let next = page(body).and_then(|page| page.next);
        assert_eq!(
            path(next.as_deref()),
            "/v1/models?limit=1000&after_id=a%3Ab"
        );
    }
}
