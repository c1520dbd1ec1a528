//! The title line at the top and the line of keys at the bottom.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::app::scene::{Busy, ContextUse, Doing, Scene};
use crate::app::servers::{ServerStatus, Servers};
use crate::chat::moment::Millis;
use crate::keymap::action::{Action, Mode};
use crate::ui::sanitize::{self, Care};
use crate::ui::text;
use crate::ui::theme::Theme;
use crate::ui::units;

/// The title line: the title at the left, what it runs on at the right, the least important gone
/// first when there is no room.
pub fn title_line(scene: &Scene<'_>, theme: Theme, width: usize) -> Line<'static> {
    let title = if scene.title.trim().is_empty() {
        "Keytide".to_owned()
    } else {
        sanitize::plain(&scene.title.replace('\n', " "), Care::Reading)
    };
    let mut facts = facts(scene, theme);
    // The title keeps at least a third of the line.
    let least = text::width(&title).min(width / 3);
    while !facts.is_empty() && facts_width(&facts) + 2 + least > width {
        drop_least(&mut facts);
    }
    let right = facts_width(&facts);
    let room = width.saturating_sub(if right == 0 { 0 } else { right + 2 });
    let title = text::cut_text(&title, room);
    let gap = width.saturating_sub(text::width(&title) + right);
    let mut spans = vec![
        Span::styled(title, theme.strong()),
        Span::raw(" ".repeat(gap)),
    ];
    for (place, fact) in facts.into_iter().enumerate() {
        if place > 0 {
            spans.push(Span::styled(" · ", theme.dim()));
        }
        spans.push(Span::styled(fact.words, fact.style));
    }
    Line::from(spans)
}

/// One fact at the right of the title line.
struct Fact {
    words: String,
    style: Style,
    /// The highest is kept the longest.
    weight: u8,
}

fn facts(scene: &Scene<'_>, theme: Theme) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |words: String, style, weight| {
        if !words.is_empty() {
            facts.push(Fact {
                words,
                style,
                weight,
            });
        }
    };
    if !scene.saved {
        add("not saved".to_owned(), theme.attention(), 8);
    }
    let model = sanitize::plain(scene.model, Care::Reading);
    add(model, theme.dim(), 6);
    let effort = scene
        .effort
        .map(|effort| sanitize::plain(effort, Care::Reading));
    add(effort.unwrap_or_default(), theme.dim(), 2);
    if let Some(context) = scene.context {
        let (words, style) = context_meter(context, theme);
        add(words, style, 5);
    }
    if let Some(part) = scene.cache_hit.filter(|part| *part > 0.0) {
        add(format!("cache {:.0}%", part * 100.0), theme.dim(), 1);
    }
    if let Some(cost) = scene.cost {
        add(units::dollars(cost), theme.dim(), 4);
    }
    let (words, style, weight) = servers(scene.servers, theme);
    add(words, style, weight);
    facts
}

fn context_meter(context: ContextUse, theme: Theme) -> (String, Style) {
    let percent = units::percent(context.used, context.window);
    let words = format!("{} {percent}%", units::tokens(context.used));
    let style = if percent >= 80 {
        theme.attention()
    } else {
        theme.dim()
    };
    (words, style)
}

fn servers(servers: &Servers, theme: Theme) -> (String, Style, u8) {
    let (mut ready, mut starting, mut failed) = (0, 0, 0);
    for (_, server) in servers.iter() {
        match server.status {
            ServerStatus::Ready { .. } => ready += 1,
            ServerStatus::Starting | ServerStatus::Slow { .. } => starting += 1,
            ServerStatus::Failed(_) => failed += 1,
            ServerStatus::Disabled => {}
        }
    }
    let noun = |count| if count == 1 { "server" } else { "servers" };
    match (ready, starting, failed) {
        (0, 0, 0) => (String::new(), theme.dim(), 0),
        (ready, 0, 0) => (format!("{ready} {}", noun(ready)), theme.dim(), 3),
        (ready, starting, 0) => {
            let words = format!("{ready}/{} servers", ready + starting);
            (words, theme.dim(), 3)
        }
        (_, _, failed) => {
            let words = format!("{failed} {} failed", noun(failed));
            (words, theme.failure(), 7)
        }
    }
}

fn facts_width(facts: &[Fact]) -> usize {
    let words: usize = facts.iter().map(|fact| text::width(&fact.words)).sum();
    words + 3 * facts.len().saturating_sub(1)
}

fn drop_least(facts: &mut Vec<Fact>) {
    let least = (0..facts.len()).min_by_key(|at| facts.get(*at).map(|fact| fact.weight));
    if let Some(at) = least {
        facts.remove(at);
    }
}

/// Says what the model side does, for the row above the composer.
pub fn busy_line(busy: Busy<'_>, scene: &Scene<'_>, theme: Theme, width: usize) -> Line<'static> {
    let now = scene.now.mono;
    let escape = scene.keymap.label(Mode::Composer, Action::Escape);
    let since = units::span(Millis::from_secs(now.since(busy.since).as_secs()));
    let (words, style) = match busy.what {
        Doing::Waiting => (
            format!("waiting for the model · {since} · {escape} stops"),
            theme.dim(),
        ),
        Doing::Streaming => (format!("answering · {since} · {escape} stops"), theme.dim()),
        Doing::AtTools => (format!("at work · {since}"), theme.dim()),
        Doing::Retrying {
            attempt,
            until,
            reason,
        } => {
            let reason = sanitize::plain(&reason.replace('\n', " "), Care::Reading);
            // Rounded up, so that the count ends at one and not at zero.
            let left = until.since(now).0.div_ceil(1_000);
            let words = format!("{reason} · attempt {attempt} in {left} s · {escape} gives up");
            (words, theme.attention())
        }
    };
    Line::styled(text::cut_text(&words, width), style)
}

/// The line of keys that work right now.
pub fn keys_line(keys: &[(String, &str)], theme: Theme, width: usize) -> Line<'static> {
    key_spans(Vec::new(), keys, width, theme)
}

/// Writes as many keys as fit, the first ones first, after some words.
pub fn key_spans(
    before: Vec<Span<'static>>,
    keys: &[(String, &str)],
    width: usize,
    theme: Theme,
) -> Line<'static> {
    let indent = if width > 24 { 2 } else { 0 };
    let mut groups: Vec<Vec<Span<'static>>> = before.into_iter().map(|span| vec![span]).collect();
    groups.extend(keys.iter().map(|(key, what)| {
        let key = Span::styled(sanitize::plain(key, Care::Reading), theme.key());
        let what = sanitize::plain(what, Care::Reading);
        vec![key, Span::styled(format!(" {what}"), theme.dim())]
    }));
    let mut spans = Vec::new();
    let mut left = width;
    for (place, group) in groups.into_iter().enumerate() {
        let gap = if place == 0 { indent } else { 2 };
        let wide: usize = group.iter().map(|span| text::width(&span.content)).sum();
        let Some(rest) = left.checked_sub(gap + wide) else {
            break;
        };
        left = rest;
        if gap > 0 {
            spans.push(Span::raw(" ".repeat(gap)));
        }
        spans.extend(group);
    }
    Line::from(spans)
}
