//! Blocks: from the parser's events to lines.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};
use ratatui::text::{Line, Span};

use crate::ui::markdown::inline::Inline;
use crate::ui::markdown::prefix::{Container, Prefix};
use crate::ui::markdown::table::Table;
use crate::ui::markdown::{Page, code};
use crate::ui::text::{self, Wrap};

/// Writes lines while events come in.
#[derive(Debug)]
pub(super) struct Writer {
    page: Page,
    lines: Vec<Line<'static>>,
    /// Something stands above the first line.
    above: bool,
    /// A block stands above, so the next one keeps a distance.
    follows: bool,
    prefix: Prefix,
    inline: Inline,
    /// The numbers of the lists around, innermost last; `None` for bullets.
    lists: Vec<List>,
    table: Option<Table>,
    code: Option<(String, String)>,
}

#[derive(Debug)]
struct List {
    number: Option<u64>,
    items: usize,
}

impl Writer {
    pub(super) fn new(page: Page, follows: bool) -> Self {
        let page = Page {
            width: page.width.max(1),
            ..page
        };
        Self {
            page,
            lines: Vec::new(),
            above: follows,
            follows,
            prefix: Prefix::default(),
            inline: Inline::new(page.theme),
            lists: Vec::new(),
            table: None,
            code: None,
        }
    }

    /// Takes one event.
    pub(super) fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(code) => self.inline.code(&code),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.inline.text(&text),
            Event::Html(html) => self.html(&html),
            Event::InlineHtml(html) => self.inline_html(&html),
            Event::FootnoteReference(name) => self.inline.aside(&format!("[{name}]")),
            Event::SoftBreak | Event::HardBreak => self.inline.line_break(),
            Event::Rule => self.rule(),
            Event::TaskListMarker(done) => self.task(done),
        }
    }

    /// Returns the lines; nothing more will come.
    pub(super) fn finish(mut self) -> Vec<Line<'static>> {
        self.flush_text();
        self.lines
    }

    fn start(&mut self, tag: &Tag<'_>) {
        if self.inline.start(tag) {
            return;
        }
        match tag {
            Tag::Heading { level, .. } => self.start_heading(*level),
            Tag::Paragraph => self.start_paragraph(),
            Tag::BlockQuote(_) => self.start_quote(),
            Tag::CodeBlock(kind) => self.start_code(kind),
            Tag::List(number) => self.start_list(*number),
            Tag::Item => self.start_item(),
            Tag::FootnoteDefinition(name) => self.start_footnote(name),
            Tag::Table(alignments) => {
                self.start_block();
                self.table = Some(Table {
                    alignments: alignments.clone(),
                    rows: Vec::new(),
                });
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.start_row();
                }
            }
            Tag::HtmlBlock => self.start_block(),
            Tag::TableCell
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_)
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. } => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        if self.inline.end(tag) {
            return;
        }
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::HtmlBlock => self.end_text_block(),
            TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => self.leave(),
            TagEnd::Item => self.end_item(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.end_block();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => self.end_cell(),
            TagEnd::Table => self.end_table(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::MetadataBlock(_)
            | TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => {}
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some((_, code)) => code.push_str(text),
            None => self.inline.text(text),
        }
    }

    fn html(&mut self, html: &str) {
        self.inline.aside(html);
    }

    fn inline_html(&mut self, html: &str) {
        let name = html.trim_matches(|char: char| !char.is_ascii_alphanumeric());
        if name.eq_ignore_ascii_case("br") && self.table.is_none() {
            self.inline.line_break();
        } else if name.eq_ignore_ascii_case("br") {
            self.inline.text(" ");
        } else {
            self.inline.aside(html);
        }
    }

    fn task(&mut self, done: bool) {
        self.inline.aside(if done { "[x] " } else { "[ ] " });
    }

    fn start_heading(&mut self, level: HeadingLevel) {
        self.start_block();
        let style = match level {
            HeadingLevel::H1 | HeadingLevel::H2 => self.page.theme.heading(),
            HeadingLevel::H3 | HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => {
                self.page.theme.strong()
            }
        };
        self.inline.base(style);
    }

    fn start_paragraph(&mut self) {
        self.flush_text();
        if self.prefix.at_mark() {
            // A loose list keeps a distance between its items, not within them.
            if self.lists.last().is_some_and(|list| list.items > 1) {
                self.gap();
            }
            self.follows = false;
        } else {
            self.keep_distance();
        }
    }

    fn start_quote(&mut self) {
        self.start_block();
        self.prefix.0.push(Container::Quote);
    }

    fn start_footnote(&mut self, name: &str) {
        self.start_block();
        let mark = crate::ui::sanitize::plain(name, crate::ui::sanitize::Care::Reading);
        self.prefix.0.push(Container::Item {
            mark: format!("[{mark}] "),
            used: false,
        });
    }

    fn start_list(&mut self, number: Option<u64>) {
        self.flush_text();
        if self.prefix.in_item() {
            self.follows = false;
        } else {
            self.keep_distance();
        }
        self.lists.push(List { number, items: 0 });
    }

    fn start_item(&mut self) {
        let mark = match self.lists.last_mut() {
            Some(list) => list.next_mark(),
            None => "• ".to_owned(),
        };
        self.prefix.0.push(Container::Item { mark, used: false });
    }

    fn end_item(&mut self) {
        self.flush_text();
        if self.prefix.at_mark() {
            self.put(vec![Line::default()]);
        }
        self.prefix.0.pop();
        self.follows = false;
    }

    fn start_code(&mut self, kind: &CodeBlockKind<'_>) {
        self.start_block();
        let language = match kind {
            CodeBlockKind::Indented => String::new(),
            CodeBlockKind::Fenced(info) => info.to_string(),
        };
        self.code = Some((language, String::new()));
    }

    fn end_code(&mut self) {
        if let Some((language, text)) = self.code.take() {
            let page = self.inner();
            self.put(code::block(&language, &text, page));
        }
        self.end_block();
    }

    fn end_cell(&mut self) {
        let lines = self.inline.take();
        if let Some(table) = &mut self.table {
            let mut cell = lines.concat();
            if table.rows.len() == 1 {
                for span in &mut cell {
                    span.style = span.style.patch(self.page.theme.strong());
                }
            }
            table.push(cell);
        }
    }

    fn end_table(&mut self) {
        if let Some(table) = self.table.take() {
            let page = self.inner();
            self.put(table.render(page));
        }
        self.end_block();
    }

    fn rule(&mut self) {
        self.start_block();
        let width = self.inner().width.min(24);
        self.put(vec![Line::styled("─".repeat(width), self.page.theme.dim())]);
        self.end_block();
    }

    fn leave(&mut self) {
        self.flush_text();
        self.prefix.0.pop();
        self.end_block();
    }

    fn start_block(&mut self) {
        self.flush_text();
        if self.prefix.in_item() {
            self.follows = false;
        } else {
            self.keep_distance();
        }
    }

    fn end_text_block(&mut self) {
        self.flush_text();
        self.end_block();
    }

    /// Lays out the text that is open: items of tight lists have no paragraph around it.
    fn flush_text(&mut self) {
        if self.inline.is_empty() {
            self.inline.base(self.page.theme.text());
            return;
        }
        let how = Wrap::words(self.inner().width);
        let mut lines = self.inline.take();
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        let wrapped = lines
            .iter()
            .flat_map(|line| text::wrap(line, how))
            .collect();
        self.put(wrapped);
    }

    /// A block is over; one that drew nothing keeps no distance.
    fn end_block(&mut self) {
        self.follows = self.above || !self.lines.is_empty();
    }

    fn keep_distance(&mut self) {
        if self.follows {
            self.gap();
        }
        self.follows = false;
    }

    fn gap(&mut self) {
        let spans = self.prefix.of_gap(self.page.width, self.page.theme);
        self.lines.push(Line::from(spans));
    }

    fn put(&mut self, lines: Vec<Line<'static>>) {
        for line in lines {
            let mut spans: Vec<Span<'static>> = self.prefix.take(self.page.width, self.page.theme);
            spans.extend(line.spans.into_iter().map(|span| Span {
                style: line.style.patch(span.style),
                ..span
            }));
            self.lines.push(Line::from(spans));
        }
    }

    /// The page beside the prefix.
    fn inner(&self) -> Page {
        Page {
            width: self.prefix.room(self.page.width),
            ..self.page
        }
    }
}

impl List {
    fn next_mark(&mut self) -> String {
        self.items += 1;
        match &mut self.number {
            Some(number) => {
                let mark = format!("{number}. ");
                *number = number.saturating_add(1);
                mark
            }
            None => "• ".to_owned(),
        }
    }
}
