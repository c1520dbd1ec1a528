//! How the rows of the screen are shared out.

use ratatui::layout::Rect;

/// What wants rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wants {
    /// Rows of the draft.
    pub composer: u16,
    /// Rows of the gate, and the least that makes sense.
    pub gate: Option<(u16, u16)>,
    /// Rows of passing lines above the composer: what the model does, flashes, queued messages.
    pub notes: u16,
}

/// Where things are; an area without rows is not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// The title line.
    pub title: Rect,
    /// The conversation.
    pub conversation: Rect,
    /// The gate.
    pub gate: Rect,
    /// Passing lines.
    pub notes: Rect,
    /// The composer.
    pub composer: Rect,
    /// The line of keys.
    pub keys: Rect,
}

/// Shares out the rows, the most needed first: the composer's one line, the gate's keys, the
/// conversation, the title.
pub fn areas(screen: Rect, wants: Wants) -> Areas {
    let height = screen.height;
    let mut left = height;
    let mut take = |rows: u16| {
        let rows = rows.min(left);
        left -= rows;
        rows
    };
    let gate_least = wants.gate.map_or(0, |(_, least)| least);
    // At the smallest sizes a decision is worth more than a draft.
    let gate_first = take(gate_least.min(height));
    let composer_first = take(1);
    let conversation_first = take(u16::from(height >= 4));
    let keys = take(u16::from(wants.gate.is_none() && height >= 3));
    let title = take(u16::from(height >= 6 + gate_least));
    let title_gap = take(u16::from(height >= 12));
    let gate = gate_first + {
        let wanted = wants.gate.map_or(0, |(wanted, _)| wanted);
        // A small screen gives everything but one line of conversation.
        let share = if height < 10 { height } else { height * 3 / 5 };
        let most = share.max(gate_least).min(wanted.max(gate_least));
        take(most.saturating_sub(gate_first))
    };
    let composer = composer_first + take(wants.composer.min(height / 3).saturating_sub(1));
    // One row stays between conversation and composer, said or not, so that nothing jumps.
    let notes_least = u16::from(height >= 10);
    let notes = take(wants.notes.min(height / 4).max(notes_least));
    let keys_gap = take(u16::from(keys > 0 && height >= 16));
    let conversation = conversation_first + left;
    place(
        screen,
        [
            title,
            title_gap,
            conversation,
            gate,
            notes,
            composer,
            keys_gap,
            keys,
        ],
    )
}

fn place(screen: Rect, rows: [u16; 8]) -> Areas {
    let mut y = screen.y;
    let [title, _, conversation, gate, notes, composer, _, keys] = rows.map(|height| {
        let area = Rect {
            y,
            height,
            ..screen
        };
        y += height;
        area
    });
    Areas {
        title,
        conversation,
        gate,
        notes,
        composer,
        keys,
    }
}
