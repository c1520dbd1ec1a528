//! The view: draws the state, changes nothing but its cache.
//!
//! [`view`] reads a [`Scene`] and reports what could be seen. Dropping the [`Cache`] changes
//! nothing but the time that the next frame takes.

pub mod composer;
pub mod conversation;
pub mod field;
pub mod gate;
pub mod layout;
pub mod markdown;
pub mod message;
mod notes;
pub mod overlay;
pub mod sanitize;
mod settle;
pub mod status;
pub mod text;
pub mod theme;
pub mod tool_call;
pub mod units;

#[cfg(test)]
mod tests;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use crate::app::overlay::Overlay;
use crate::app::scene::{Readiness, Scene};
use crate::app::shown::{Shown, ShownCall};
use crate::ui::composer::Draft;
use crate::ui::conversation::ConversationCache;
use crate::ui::gate::{GateCache, GatePanel};
use crate::ui::layout::{Areas, Wants};
use crate::ui::overlay::LayerShown;
use crate::ui::theme::Theme;

/// What the view keeps from frame to frame to be quick.
#[derive(Debug, Default)]
pub struct Cache {
    conversation: ConversationCache,
    gate: GateCache,
}

/// Draws a frame and reports what could be seen in it.
pub fn view(scene: &Scene<'_>, cache: &mut Cache, frame: &mut Frame<'_>) -> Shown {
    let screen = frame.area();
    let theme = Theme::of(scene.looks);
    if screen.is_empty() {
        return blind(scene);
    }
    let mut shown = match scene.overlay {
        Some(overlay) => {
            let layer = overlay::draw(scene, overlay, theme, screen, frame);
            Shown {
                overlay_max_scroll: layer.max_scroll,
                page_height: layer.page_height,
                gate: whole_call(scene, overlay, layer),
                ..blind(scene)
            }
        }
        None => draw_page(scene, cache, theme, screen, frame),
    };
    shown.scrolled_from = scene.scroll;
    settle::rewrite_after_wide(frame.buffer_mut());
    shown
}

/// A waiting call that is open in full counts as shown: its end may be seen there.
fn whole_call(scene: &Scene<'_>, overlay: &Overlay, layer: LayerShown) -> Option<ShownCall> {
    let open = match overlay {
        Overlay::Call { call, .. } => call,
        Overlay::Help { .. }
        | Overlay::Servers { .. }
        | Overlay::Browser(_)
        | Overlay::FirstRun => return None,
    };
    let waiting = &scene.gate.as_ref()?.calls;
    waiting.iter().find(|call| call.id == open)?;
    Some(ShownCall {
        call: open.clone(),
        end_visible: layer.end_visible,
        // The gate itself is not on the screen; its place is left as it is.
        max_scroll: usize::MAX,
        page_height: usize::from(layer.page_height),
    })
}

/// What is reported when the conversation is not on the screen: its place is as before, and no
/// call could be seen.
fn blind(scene: &Scene<'_>) -> Shown {
    Shown {
        scrolled_from: scene.scroll,
        anchor: scene.scroll.anchor,
        measure: scene.scroll.measure,
        end: scene.scroll.read_to,
        ..Shown::default()
    }
}

fn draw_page(
    scene: &Scene<'_>,
    cache: &mut Cache,
    theme: Theme,
    screen: Rect,
    frame: &mut Frame<'_>,
) -> Shown {
    let draft = Draft::new(scene.composer, screen.width);
    let panel = scene.gate.as_ref().map(|gate| GatePanel {
        gate,
        now: scene.now.mono,
        keymap: scene.keymap,
        theme,
    });
    let notes = notes::lines(scene, theme, usize::from(screen.width));
    let gate = panel.map(|panel| (panel.wanted(screen.width, &mut cache.gate), panel.least()));
    let wants = Wants {
        composer: draft.height(),
        gate,
        notes: u16::try_from(notes.len()).unwrap_or(u16::MAX),
    };
    let areas = layout::areas(screen, wants);
    draw_lines(scene, &notes, theme, areas, frame);
    let at = conversation::draw(
        scene,
        &mut cache.conversation,
        theme,
        areas.conversation,
        frame,
    );
    let (call, reason_cursor) = panel.map_or((None, None), |panel| {
        panel.draw(areas.gate, &mut cache.gate, frame)
    });
    let draft_cursor = draw_draft(scene, &draft, theme, areas.composer, frame);
    if let Some(cursor) = reason_cursor.or(draft_cursor) {
        frame.set_cursor_position(cursor);
    }
    report(scene, at, call)
}

fn report(scene: &Scene<'_>, at: conversation::Settled, gate: Option<ShownCall>) -> Shown {
    Shown {
        scrolled_from: scene.scroll,
        anchor: at.anchor,
        measure: at.measure,
        end: at.end,
        lines_below: at.lines_below,
        gate,
        page_height: at.page_height,
        overlay_max_scroll: 0,
    }
}

fn draw_lines(
    scene: &Scene<'_>,
    notes: &[Line<'static>],
    theme: Theme,
    areas: Areas,
    frame: &mut Frame<'_>,
) {
    let width = usize::from(areas.title.width);
    put(&status::title_line(scene, theme, width), areas.title, frame);
    // The newest are nearest to the composer; the oldest are lost first.
    let skip = notes.len().saturating_sub(usize::from(areas.notes.height));
    let rows = areas.notes.y..areas.notes.bottom();
    for (y, note) in rows.rev().zip(notes.iter().skip(skip).rev()) {
        let area = Rect {
            y,
            height: 1,
            ..areas.notes
        };
        put(note, area, frame);
    }
    put(
        &status::keys_line(&scene.keys, theme, width),
        areas.keys,
        frame,
    );
}

/// Draws the draft. The cursor stands in it only while typing goes there.
fn draw_draft(
    scene: &Scene<'_>,
    draft: &Draft<'_>,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let hint = if scene.gate.is_some() {
        "a call waits above"
    } else {
        "Write a message"
    };
    let cursor = draft.draw(hint, theme, area, frame);
    let typing = scene
        .gate
        .as_ref()
        .is_none_or(|gate| matches!(gate.readiness, Readiness::NotDrawn | Readiness::StopTyping));
    typing.then_some(cursor)
}

fn put(line: &Line<'static>, area: Rect, frame: &mut Frame<'_>) {
    if area.height > 0 {
        frame
            .buffer_mut()
            .set_line(area.x, area.y, line, area.width);
    }
}
