//! One whole call: every name, claim and argument, and the result; invisible characters spelled out.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::app::scene::Scene;
use crate::app::timeline::{CallCard, ItemBody, ShownPart};
use crate::chat::id::ToolUseId;
use crate::ui::gate::claims;
use crate::ui::sanitize::Care;
use crate::ui::text::{self, Wrap};
use crate::ui::theme::Theme;
use crate::ui::units;

/// Lays the page out.
pub(super) fn lines(
    scene: &Scene<'_>,
    call: &ToolUseId,
    theme: Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let card = scene.items.iter().rev().find_map(|item| match &item.body {
        ItemBody::Call(card) if card.id == *call => Some(card),
        ItemBody::Call(_)
        | ItemBody::Person { .. }
        | ItemBody::Reply { .. }
        | ItemBody::Thinking { .. }
        | ItemBody::Preparing { .. }
        | ItemBody::Other { .. }
        | ItemBody::Notice(_) => None,
    });
    let mut text = Text {
        theme,
        width,
        lines: Vec::new(),
    };
    match card {
        Some(card) => whole(card, &mut text),
        None => text.add("This call is no longer in the conversation.", theme.dim()),
    }
    text.lines
}

fn whole(card: &CallCard, text: &mut Text) {
    let theme = text.theme;
    let server = card
        .server
        .as_ref()
        .map_or("(no server)", |name| name.as_str());
    text.add(&format!("server         {server}"), theme.text());
    text.add(&format!("tool           {}", card.tool), theme.strong());
    text.add(&format!("for the model  {}", card.public_name), theme.dim());
    if let Some(title) = &card.title {
        text.add(&format!("title          {title}"), theme.dim());
    }
    if let Some(claims) = claims(card.hints) {
        text.add(&format!("claimed by the server: {claims}"), theme.dim());
    }
    text.heading("arguments");
    text.add(&card.arguments, theme.text());
    if !card.result.is_empty() {
        text.heading("result");
    }
    for part in &card.result {
        match part {
            ShownPart::Text { text: said, .. } => text.add(said, theme.text()),
            ShownPart::Media { media_type, bytes } => {
                let label = format!("{media_type}, {}", units::bytes(*bytes));
                text.add(&label, theme.dim());
            }
        }
    }
}

/// Lines in which nothing is left out.
struct Text {
    theme: Theme,
    width: usize,
    lines: Vec<Line<'static>>,
}

impl Text {
    fn add(&mut self, said: &str, style: Style) {
        let how = Wrap::anywhere(self.width);
        let lines = text::paragraph(said, style, Care::Deciding, how, self.theme);
        self.lines.extend(lines);
    }

    fn heading(&mut self, words: &str) {
        self.lines.push(Line::default());
        self.add(words, self.theme.accent());
    }
}
