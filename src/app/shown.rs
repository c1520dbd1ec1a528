//! What could be seen in a frame: the view's report back to the state.

use crate::app::scroll::{Anchor, Measure, Place, Scroll};
use crate::chat::id::ToolUseId;

/// What a frame showed. Made by the view, brought back as `Fact::Drawn`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown {
    /// The scroll state that the frame was drawn from. A report on an older one is no use.
    pub scrolled_from: Scroll,
    /// Where the pane is now.
    pub anchor: Anchor,
    /// What the anchor's line is counted in.
    pub measure: Measure,
    /// The last line of the conversation, if there is any.
    pub end: Option<Place>,
    /// How many lines of the conversation are below the pane.
    pub lines_below: usize,
    /// The call that the gate showed in this frame, if it showed one.
    pub gate: Option<ShownCall>,
    /// The height of what pages scroll, the open overlay or the pane, in lines.
    pub page_height: u16,
    /// How far the open overlay can scroll at most, in lines.
    pub overlay_max_scroll: usize,
}

/// How much of a waiting call a frame showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownCall {
    /// Which call.
    pub call: ToolUseId,
    /// The last line of its arguments was on the screen.
    pub end_visible: bool,
    /// How far the card can scroll at most, in lines.
    pub max_scroll: usize,
    /// How many lines of the arguments are shown at once.
    pub page_height: usize,
}
