//! Names that could not be sent back: each call gets an id of its own that every service takes.

use std::collections::HashSet;

use crate::chat::conversation::Conversation;
use crate::chat::id::ToolUseId;
use crate::chat::message::{ModelBlock, ModelContent};
use crate::chat::raw_json::RawJson;
use crate::chat::raw_object::RawObject;

/// The longest tool name that every service takes.
const LONGEST_NAME: usize = 64;

/// Renames calls whose id was used before, in this reply or earlier, or holds characters that no
/// service takes; tool names of that kind are mended in what is sent back.
///
/// A service refuses a history with an id used twice, and two calls must never share one approval.
/// The new id is written into the raw block too, so that both sides go on with the same name.
pub fn make_ids_distinct(blocks: &mut [ModelBlock], conversation: &Conversation) {
    let mut taken: HashSet<ToolUseId> = HashSet::new();
    for block in blocks {
        let ModelContent::ToolUse(tool_use) = &mut block.content else {
            continue;
        };
        let id = distinct(&tool_use.id, |id| {
            !conversation.knows(id) && !taken.contains(id)
        });
        if id != tool_use.id {
            rewrite(&mut block.raw, "id", id.as_str());
            tool_use.id = id;
        }
        let name = tool_use.name.as_str();
        let sent = acceptable(name, "unnamed");
        if sent != name {
            rewrite(&mut block.raw, "name", &sent);
        }
        taken.insert(tool_use.id.clone());
    }
}

/// Returns the id, made acceptable and numbered until it is free.
fn distinct(id: &ToolUseId, is_free: impl Fn(&ToolUseId) -> bool) -> ToolUseId {
    let stem = acceptable_id(id.as_str());
    let first = ToolUseId::new(stem.clone());
    if is_free(&first) {
        return first;
    }
    let mut numbered = (2_u64..).map(|number| ToolUseId::new(format!("{stem}_{number}")));
    numbered.find(is_free).unwrap_or(first)
}

fn acceptable_id(id: &str) -> String {
    let kept: String = id.chars().map(kept_or_underscore).collect();
    if kept.is_empty() {
        "call".to_owned()
    } else {
        kept
    }
}

fn acceptable(name: &str, otherwise: &str) -> String {
    let kept: String = name
        .chars()
        .take(LONGEST_NAME)
        .map(kept_or_underscore)
        .collect();
    if kept.is_empty() {
        otherwise.to_owned()
    } else {
        kept
    }
}

const fn kept_or_underscore(char: char) -> char {
    if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') {
        char
    } else {
        '_'
    }
}

fn rewrite(raw: &mut RawJson, field: &str, value: &str) {
    if let Some(mut object) = RawObject::parse(raw.text()) {
        object.set(field, &RawJson::from_value(&value.into()));
        *raw = object.to_raw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::tool::{Arguments, ToolUse};

    fn block(id: &str) -> ModelBlock {
        let raw = format!(r#"{{"type":"tool_use","id":"{id}","name":"t","input":{{"b":1.0}}}}"#);
        let arguments = Arguments::parse(r#"{"b":1.0}"#);
        ModelBlock {
            raw: RawJson::parse(raw).unwrap(),
            content: ModelContent::ToolUse(ToolUse {
                id: id.into(),
                name: "t".into(),
                arguments,
            }),
        }
    }

    #[test]
    fn two_calls_with_one_id_get_two_ids_on_both_sides() {
        let mut blocks = vec![block("toolu_1"), block("toolu_1"), block("toolu_1_2")];
        make_ids_distinct(&mut blocks, &Conversation::default());
        let texts: Vec<&str> = blocks.iter().map(|block| block.raw.text()).collect();
        let expected = [block("toolu_1"), block("toolu_1_2"), block("toolu_1_2_2")];
        assert_eq!(blocks, expected);
        assert_eq!(texts, expected.each_ref().map(|block| block.raw.text()));
    }

    #[test]
    fn an_id_or_a_name_that_no_service_takes_is_mended_in_what_is_sent_back() {
        let raw = r#"{"type":"tool_use","id":"bad id","name":"no\u001b[31m","input":{}}"#;
        let mut blocks = vec![ModelBlock {
            raw: RawJson::parse(raw).unwrap(),
            content: ModelContent::ToolUse(ToolUse {
                id: "bad id".into(),
                name: "no\u{1b}[31m".into(),
                arguments: Arguments::parse("{}"),
            }),
        }];
        make_ids_distinct(&mut blocks, &Conversation::default());
        assert_eq!(
            blocks[0].raw.text(),
            r#"{"type":"tool_use","id":"bad_id","name":"no__31m","input":{}}"#
        );
    }
}
