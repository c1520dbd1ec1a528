//! Blocks of code: indented, wrapped anywhere, nothing swallowed.

use ratatui::text::{Line, Span};

use crate::ui::markdown::Page;
use crate::ui::sanitize::{self, Care};
use crate::ui::text::{self, Wrap};

/// Lays out a block of code in its language.
pub(super) fn block(language: &str, code: &str, page: Page) -> Vec<Line<'static>> {
    let mut lines = label(language, page);
    if code.is_empty() {
        return lines;
    }
    let code = code.strip_suffix('\n').unwrap_or(code);
    for code_line in sanitize::lines(code) {
        lines.extend(line(code_line, page));
    }
    lines
}

/// Names the language above the code, if there is one.
pub(super) fn label(language: &str, page: Page) -> Vec<Line<'static>> {
    let name = language.split([' ', ',', '{']).next().unwrap_or("");
    if name.is_empty() {
        return Vec::new();
    }
    let name = text::cut_text(&sanitize::plain(name, Care::Reading), room(page));
    vec![indented(Line::styled(name, page.theme.dim()), page)]
}

/// Lays out one line of code.
pub(super) fn line(code: &str, page: Page) -> Vec<Line<'static>> {
    let spans = text::styled(code, page.theme.code_block(), Care::Reading, page.theme);
    text::wrap(&spans, Wrap::anywhere(room(page)))
        .into_iter()
        .map(|line| indented(line, page))
        .collect()
}

const fn indent(page: Page) -> usize {
    if page.width > 12 { 2 } else { 0 }
}

const fn room(page: Page) -> usize {
    page.width - indent(page)
}

fn indented(line: Line<'static>, page: Page) -> Line<'static> {
    match indent(page) {
        0 => line,
        columns => {
            let mut spans = vec![Span::raw(" ".repeat(columns))];
            spans.extend(line.spans);
            Line::from(spans)
        }
    }
}
