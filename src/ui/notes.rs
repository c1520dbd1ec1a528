//! The passing lines above the composer: what the model side does, what waits, short hints.

use ratatui::text::{Line, Span};

use crate::app::scene::Scene;
use crate::ui::sanitize::{self, Care};
use crate::ui::status;
use crate::ui::text;
use crate::ui::theme::Theme;

/// Returns the lines from the top down.
pub(super) fn lines(scene: &Scene<'_>, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let indent = if width > 24 { 2 } else { 0 };
    let room = width.saturating_sub(indent);
    let one_line = |text: &str| sanitize::plain(&text.replace('\n', " "), Care::Reading);
    let mut lines = Vec::new();
    if let Some(busy) = scene.busy.filter(|_| scene.gate.is_none()) {
        lines.push(status::busy_line(busy, scene, theme, room));
    }
    for queued in &scene.queued {
        let said = format!("queued: {}", one_line(queued));
        lines.push(Line::styled(text::cut_text(&said, room), theme.dim()));
    }
    for flash in &scene.flashes {
        lines.push(Line::styled(
            text::cut_text(&one_line(flash), room),
            theme.attention(),
        ));
    }
    let free = Span::raw(" ".repeat(indent));
    lines
        .into_iter()
        .map(|line| {
            let style = line.style;
            let words = line.spans.into_iter().map(|span| Span {
                style: style.patch(span.style),
                ..span
            });
            std::iter::once(free.clone()).chain(words).collect()
        })
        .collect()
}
