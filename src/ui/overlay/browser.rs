//! The transcripts on disk: a list, and beside or below it what the chosen one holds.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::overlay::Browser;
use crate::app::scene::Scene;
use crate::chat::entry::Entry;
use crate::chat::message::ContentBlock;
use crate::chat::moment::Timestamp;

use crate::transcript::replay::Replay;
use crate::transcript::summary::Summary;
use crate::ui::overlay::{Keys, LayerShown, heading, keys, put, rows};
use crate::ui::sanitize::{self, Care};
use crate::ui::status;
use crate::ui::text::{self, Wrap};
use crate::ui::theme::Theme;
use crate::ui::units;

/// Draws list and preview. There is nothing to scroll in lines: the chosen one is always seen.
pub(super) fn draw(
    scene: &Scene<'_>,
    browser: &Browser,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) -> LayerShown {
    let [head, body, foot] = rows(area);
    let count = browser.list.as_ref().map_or(0, Vec::len);
    let place = if count == 0 {
        String::new()
    } else {
        format!("{} of {count}", browser.chosen.min(count - 1) + 1)
    };
    let title = heading("Transcripts", &place, theme, usize::from(head.width));
    put(&title, head, frame);
    let (list, preview) = split(body);
    draw_list(scene, browser, theme, list, frame);
    draw_preview(browser, theme, preview, frame);
    let keys = keys(scene, Keys::List, false);
    let keys = status::keys_line(&keys, theme, usize::from(foot.width));
    put(&keys, foot, frame);
    LayerShown {
        max_scroll: 0,
        page_height: list.height,
        end_visible: false,
    }
}

/// Side by side when it is wide, one above the other when it is high, else the list alone.
fn split(body: Rect) -> (Rect, Rect) {
    if body.width >= 72 {
        let list = body.width * 2 / 5;
        let left = Rect {
            width: list,
            ..body
        };
        let right = Rect {
            x: body.x + list + 2,
            width: body.width - list - 2,
            ..body
        };
        (left, right)
    } else if body.height >= 12 {
        let list = body.height / 2;
        let top = Rect {
            height: list,
            ..body
        };
        let bottom = Rect {
            y: body.y + list + 1,
            height: body.height - list - 1,
            ..body
        };
        (top, bottom)
    } else {
        (body, Rect { height: 0, ..body })
    }
}

fn draw_list(
    scene: &Scene<'_>,
    browser: &Browser,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let Some(list) = &browser.list else {
        let line = Line::styled("Reading the transcripts…", theme.dim());
        put(&line, area, frame);
        return;
    };
    if list.is_empty() {
        let line = Line::styled("There is no transcript yet.", theme.dim());
        put(&line, area, frame);
        return;
    }
    let height = usize::from(area.height);
    let chosen = browser.chosen.min(list.len() - 1);
    let top = chosen
        .saturating_sub(height / 2)
        .min(list.len().saturating_sub(height));
    let visible = list.iter().enumerate().skip(top);
    for (y, (at, summary)) in (area.y..area.bottom()).zip(visible) {
        let line = entry(
            summary,
            at == chosen,
            scene.now.wall,
            theme,
            usize::from(area.width),
        );
        frame.buffer_mut().set_line(area.x, y, &line, area.width);
    }
}

fn entry(
    summary: &Summary,
    chosen: bool,
    now: Timestamp,
    theme: Theme,
    width: usize,
) -> Line<'static> {
    let age = if summary.in_use {
        "open".to_owned()
    } else {
        age(summary.changed, now)
    };
    let room = width.saturating_sub(text::width(&age) + 2);
    let title = match summary.title.trim() {
        "" => "(empty)".to_owned(),
        title => sanitize::plain(&title.replace('\n', " "), Care::Reading),
    };
    let title = text::cut_text(&title, room);
    let gap = width.saturating_sub(text::width(&title) + text::width(&age));
    let style = if chosen { theme.chosen() } else { theme.text() };
    let faint = if chosen { theme.chosen() } else { theme.dim() };
    text::cut(
        Line::from(vec![
            Span::styled(title, style),
            Span::styled(" ".repeat(gap), style),
            Span::styled(age, faint),
        ]),
        width,
    )
}

/// Says how long ago something was: `now`, `5 min`, `3 h`, `12 d`.
fn age(then: Timestamp, now: Timestamp) -> String {
    let minutes = now.0.saturating_sub(then.0).max(0) / 60_000;
    match minutes {
        0 => "now".to_owned(),
        1..60 => format!("{minutes} min"),
        60..1_440 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1_440),
    }
}

fn draw_preview(browser: &Browser, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let width = usize::from(area.width);
    if area.is_empty() {
        return;
    }
    let lines = match &browser.preview {
        None => Vec::new(),
        Some(Ok(replay)) => preview(replay, usize::from(area.height), theme, width),
        Some(Err(reason)) => text::paragraph(
            reason,
            theme.failure(),
            Care::Reading,
            Wrap::words(width),
            theme,
        ),
    };
    for (y, line) in (area.y..area.bottom()).zip(&lines) {
        frame.buffer_mut().set_line(area.x, y, line, area.width);
    }
}

/// The beginning of a transcript, as far as it fits.
fn preview(replay: &Replay, height: usize, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let how = Wrap::words(width);
    let mut lines = Vec::new();
    let folder = format!("in {}", replay.folder);
    lines.extend(text::paragraph(
        &folder,
        theme.dim(),
        Care::Reading,
        how,
        theme,
    ));
    for notice in &replay.notices {
        lines.extend(text::paragraph(
            notice,
            theme.attention(),
            Care::Reading,
            how,
            theme,
        ));
    }
    for (_, entry) in &replay.entries {
        if lines.len() >= height {
            break;
        }
        lines.extend(said(entry, theme, how));
    }
    lines
}

fn said(entry: &Entry, theme: Theme, how: Wrap) -> Vec<Line<'static>> {
    let (mark, words, style) = match entry {
        Entry::UserSaid(blocks) => ("› ", words(blocks), theme.strong()),
        Entry::Replied { blocks, .. } => ("  ", words(blocks), theme.text()),
        Entry::Cut { text, .. } => ("  ", text.clone().unwrap_or_default(), theme.text()),
        Entry::Answered(result) => {
            let words = format!("{} of result", units::bytes(size(&result.content)));
            ("  ", words, theme.dim())
        }
        Entry::Requested { .. } | Entry::Refused { .. } | Entry::Decided { .. } => {
            return Vec::new();
        }
    };
    if words.trim().is_empty() {
        return Vec::new();
    }
    let how = Wrap {
        width: how.width.saturating_sub(2).max(1),
        ..how
    };
    // A preview needs no more than a screen of each.
    let words: String = words.trim().chars().take(2_000).collect();
    let lines = text::paragraph(&words, style, Care::Reading, how, theme);
    let mut out = vec![Line::default()];
    out.extend(text::prefixed(
        lines,
        &[Span::styled(mark, theme.person())],
        &[Span::raw("  ")],
    ));
    out
}

fn words(blocks: &[ContentBlock]) -> String {
    let texts: Vec<&str> = blocks.iter().filter_map(ContentBlock::as_text).collect();
    let calls = blocks
        .iter()
        .filter_map(ContentBlock::as_tool_use)
        .map(|call| format!("called {}", call.name));
    let mut words: Vec<String> = texts.into_iter().map(str::to_owned).collect();
    words.extend(calls);
    words.join("\n")
}

fn size(parts: &[crate::chat::tool::ResultPart]) -> usize {
    use crate::chat::tool::PartBody;
    parts
        .iter()
        .map(|part| match &part.body {
            PartBody::Text(text) => text.len(),
            PartBody::Image(media) | PartBody::Document(media) => media.base64.len() / 4 * 3,
        })
        .sum()
}
