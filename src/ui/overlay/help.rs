//! The help page: every key from the table of bindings, and the commands.

use ratatui::text::{Line, Span};

use crate::app::scene::Scene;
use crate::ui::sanitize::{self, Care};
use crate::ui::text::{self, Wrap};
use crate::ui::theme::Theme;

/// Lays the page out.
pub(super) fn lines(scene: &Scene<'_>, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let sections = sections(scene);
    let rows = sections.iter().flat_map(|(_, rows)| rows);
    let widest = rows.map(|(keys, _)| text::width(keys)).max().unwrap_or(0);
    let column = widest.min(width / 3).max(1);
    let mut lines = Vec::new();
    for (heading, rows) in &sections {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        let heading = text::cut_text(heading, width);
        lines.push(Line::styled(heading, theme.accent()));
        for (keys, what) in rows {
            lines.extend(row(keys, what, column, theme, width));
        }
    }
    lines
}

type Section = (String, Vec<(String, String)>);

/// Keys by the place where they work, then what else there is.
fn sections(scene: &Scene<'_>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for row in scene.keymap.help() {
        if row.keys.is_empty() {
            continue;
        }
        let place = sanitize::plain(row.place, Care::Reading);
        let line = (row.keys.join(", "), row.does.to_owned());
        match sections.iter_mut().find(|(heading, _)| *heading == place) {
            Some((_, rows)) => rows.push(line),
            None => sections.push((place, vec![line])),
        }
    }
    let new = |heading: &str| sections.iter().all(|(known, _)| known != heading);
    let further: Vec<_> = scene
        .help
        .iter()
        .filter(|section| new(section.heading))
        .collect();
    for section in further {
        let rows = section.lines.iter().map(|(name, what)| {
            let clean = |text: &str| sanitize::plain(text, Care::Reading);
            (clean(name), clean(what))
        });
        sections.push((section.heading.to_owned(), rows.collect()));
    }
    sections
}

/// One line of two columns; where it is too narrow for that, one after the other.
pub(super) fn row(
    keys: &str,
    what: &str,
    column: usize,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let left = column + 3;
    if width < left + 10 {
        let spans = [
            Span::styled(keys.to_owned(), theme.key()),
            Span::styled(format!(" {what}"), theme.text()),
        ];
        return text::wrap(&spans, Wrap::words(width));
    }
    let how = Wrap::words(width - left);
    let what = text::paragraph(what, theme.text(), Care::Reading, how, theme);
    let keys = text::cut_text(keys, column);
    let pad = " ".repeat(left - text::width(&keys));
    let first = [Span::styled(keys, theme.key()), Span::raw(pad)];
    text::prefixed(what, &first, &[Span::raw(" ".repeat(left))])
}
