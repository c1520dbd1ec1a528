//! What a key can be bound to.

/// An intent of the person's, whatever key it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Send what the composer holds, or queue it.
    Submit,
    /// Begin a new line in the composer.
    NewLine,
    /// Write in `$VISUAL` or `$EDITOR`.
    EditExternally,
    /// Take back the last change in the composer.
    Undo,
    /// Make it again.
    Redo,
    /// Older message of one's own.
    HistoryBack,
    /// Newer message of one's own.
    HistoryForward,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// To the beginning of the conversation.
    ToStart,
    /// To the newest text, and follow it.
    ToEnd,
    /// Fold or unfold details.
    ToggleDetails,
    /// Show help.
    Help,
    /// Browse the transcripts.
    Browse,
    /// Stop the stream and keep what came, or close what is open.
    Escape,
    /// Stop what runs; clear the draft; quit.
    Interrupt,
    /// Quit, when the composer is empty.
    EndOfInput,
    /// Ask again, or go on.
    AskAgain,
    /// Give the terminal back and stop until `fg`.
    Suspend,
    /// Redraw everything.
    Redraw,
    /// Run the call.
    Run,
    /// Deny the call.
    Deny,
    /// Deny the call and say why.
    DenyWithReason,
    /// Look at the whole call.
    ViewCall,
    /// To the next waiting call.
    NextCall,
    /// To the previous waiting call.
    PreviousCall,
    /// Run every call listed now.
    RunAll,
    /// Deny every call listed now.
    DenyAll,
    /// Up, in a list or a text.
    Up,
    /// Down, in a list or a text.
    Down,
    /// Open what is chosen.
    Open,
    /// Close what is open.
    Close,
}

impl Action {
    /// Tells whether it means something at the gate only.
    pub const fn is_for_gate(self) -> bool {
        matches!(
            self,
            Self::Run
                | Self::Deny
                | Self::DenyWithReason
                | Self::ViewCall
                | Self::NextCall
                | Self::PreviousCall
                | Self::RunAll
                | Self::DenyAll
        )
    }
}

/// Where a key is pressed: the same key means different things in different places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The composer has the keyboard.
    Composer,
    /// The gate is armed and has the keyboard.
    Gate,
    /// A text is open over the conversation: help, a whole call.
    Pager,
    /// A list is open over the conversation: transcripts.
    List,
    /// A line is being written: the reason of a denial.
    Line,
}
