//! Nobody but the arming says that a key was pressed at an armed gate.

use keytide::chat::id::ToolUseId;
use keytide::chat::moment::Millis;
use keytide::gate::arming::ArmedPress;

pub fn press(call: ToolUseId, pressed_at: Millis) -> ArmedPress {
    ArmedPress { call, pressed_at } //~ E0451
}
