//! A call runs with the proof only.

use keytide::app::effect::Effect;
use keytide::chat::tool::ToolUse;

pub fn call(tool_use: ToolUse) -> Effect {
    Effect::CallTool(tool_use) //~ E0308
}
