//! Text within a block: emphasis, code, links.

use pulldown_cmark::{CowStr, LinkType, Tag, TagEnd};
use ratatui::style::Style;
use ratatui::text::Span;

use crate::ui::sanitize::{self, Care};
use crate::ui::text;
use crate::ui::theme::Theme;

/// The text of the block that is being read: lines of styled pieces, not wrapped yet.
#[derive(Debug)]
pub(super) struct Inline {
    theme: Theme,
    lines: Vec<Vec<Span<'static>>>,
    /// Text of one style that has not been cleaned: a character may be spread over events.
    open: String,
    open_style: Style,
    styles: Vec<Style>,
    links: Vec<Address>,
    /// Everything written since the innermost link began, to compare it with its address.
    link_text: String,
}

#[derive(Debug)]
struct Address {
    url: String,
    shown: bool,
}

impl Inline {
    pub(super) fn new(theme: Theme) -> Self {
        Self {
            theme,
            lines: vec![Vec::new()],
            open: String::new(),
            open_style: theme.text(),
            styles: vec![theme.text()],
            links: Vec::new(),
            link_text: String::new(),
        }
    }

    /// Adds text in the style of where it stands.
    pub(super) fn text(&mut self, text: &str) {
        let style = self.style();
        if !self.links.is_empty() {
            self.link_text.push_str(text);
        }
        self.put(text, style);
    }

    /// Adds code.
    pub(super) fn code(&mut self, code: &str) {
        let style = self.style().patch(self.theme.code());
        if !self.links.is_empty() {
            self.link_text.push_str(code);
        }
        self.put(code, style);
    }

    /// Adds something secondary.
    pub(super) fn aside(&mut self, text: &str) {
        let style = self.style().patch(self.theme.dim());
        self.put(text, style);
    }

    /// Ends the line.
    pub(super) fn line_break(&mut self) {
        self.flush();
        self.lines.push(Vec::new());
    }

    /// Sets the style that everything in the block starts from.
    pub(super) fn base(&mut self, style: Style) {
        self.flush();
        self.styles = vec![style];
    }

    /// Takes the beginning of a span. Returns whether it was one.
    pub(super) fn start(&mut self, tag: &Tag<'_>) -> bool {
        let style = match tag {
            Tag::Emphasis => self.theme.emphasis(),
            Tag::Strong => self.theme.strong(),
            Tag::Strikethrough => self.theme.struck(),
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => self.start_link(*link_type, dest_url),
            Tag::Image { dest_url, .. } => self.start_image(dest_url),
            Tag::Paragraph
            | Tag::Heading { .. }
            | Tag::BlockQuote(_)
            | Tag::CodeBlock(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => return false,
        };
        self.styles.push(self.style().patch(style));
        true
    }

    /// Takes the end of a span. Returns whether it was one.
    pub(super) fn end(&mut self, tag: TagEnd) -> bool {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.pop_style();
                true
            }
            TagEnd::Link | TagEnd::Image => {
                self.pop_style();
                self.end_link();
                true
            }
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => false,
        }
    }

    /// Returns the lines and begins anew.
    pub(super) fn take(&mut self) -> Vec<Vec<Span<'static>>> {
        self.flush();
        self.styles = vec![self.theme.text()];
        self.links.clear();
        std::mem::replace(&mut self.lines, vec![Vec::new()])
    }

    /// Tells whether anything has been written.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty() && self.lines.iter().all(Vec::is_empty)
    }

    fn start_link(&mut self, kind: LinkType, url: &CowStr<'_>) -> Style {
        self.link_text.clear();
        self.links.push(Address {
            url: url.to_string(),
            shown: !matches!(kind, LinkType::Autolink | LinkType::Email),
        });
        self.theme.link()
    }

    fn start_image(&mut self, url: &CowStr<'_>) -> Style {
        self.aside("image: ");
        self.link_text.clear();
        self.links.push(Address {
            url: url.to_string(),
            shown: true,
        });
        self.theme.text()
    }

    /// The address stands beside the words, so that nobody follows words alone.
    fn end_link(&mut self) {
        let text = std::mem::take(&mut self.link_text);
        if let Some(address) = self.links.pop()
            && address.shown
            && !address.url.is_empty()
            && address.url != text
        {
            self.aside(&format!(" ({})", address.url));
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn pop_style(&mut self) {
        if self.styles.len() > 1 {
            self.styles.pop();
        }
    }

    fn put(&mut self, text: &str, style: Style) {
        for (place, line) in sanitize::lines(text).enumerate() {
            if place > 0 {
                self.line_break();
            }
            if style != self.open_style {
                self.flush();
                self.open_style = style;
            }
            self.open.push_str(line);
        }
    }

    fn flush(&mut self) {
        let open = std::mem::take(&mut self.open);
        let spans = text::styled(&open, self.open_style, Care::Reading, self.theme);
        if let Some(line) = self.lines.last_mut() {
            line.extend(spans);
        }
    }
}
