//! Call ids that are used twice: each call gets an id of its own before anybody sees it.

use std::collections::HashSet;

use crate::chat::conversation::Conversation;
use crate::chat::id::ToolUseId;
use crate::chat::message::{ModelBlock, ModelContent};
use crate::chat::raw_json::RawJson;
use crate::chat::raw_object::RawObject;

/// Renames calls whose id was used before, in this reply or earlier.
///
/// A service refuses a history with an id used twice, and two calls must never share one approval.
/// The new id is written into the raw block too, so that both sides go on with the same name.
pub fn make_ids_distinct(blocks: &mut [ModelBlock], conversation: &Conversation) {
    let mut taken: HashSet<ToolUseId> = HashSet::new();
    for block in blocks {
        let ModelContent::ToolUse(tool_use) = &mut block.content else {
            continue;
        };
        let is_free = |id: &ToolUseId| {
            !id.as_str().is_empty() && !conversation.knows(id) && !taken.contains(id)
        };
        if !is_free(&tool_use.id) {
            let stem = if tool_use.id.as_str().is_empty() {
                "call"
            } else {
                tool_use.id.as_str()
            };
            let numbered = (2_u64..).map(|number| ToolUseId::new(format!("{stem}_{number}")));
            if let Some(fresh) = numbered.into_iter().find(is_free) {
                rename(&mut block.raw, &fresh);
                tool_use.id = fresh;
            }
        }
        taken.insert(tool_use.id.clone());
    }
}

fn rename(raw: &mut RawJson, id: &ToolUseId) {
    if let Some(mut object) = RawObject::parse(raw.text()) {
        object.set("id", &RawJson::from_value(&id.as_str().into()));
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
}
