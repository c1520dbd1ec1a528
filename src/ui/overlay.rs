//! What lies over the conversation: a page of text that scrolls, or a list with a preview.

mod browser;
mod call;
mod first_run;
mod help;
mod servers;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget as _};

use crate::app::overlay::Overlay;
use crate::app::scene::Scene;
use crate::keymap::action::{Action, Mode};
use crate::ui::status;
use crate::ui::text;
use crate::ui::theme::Theme;

/// A page: a heading, lines that scroll, and the keys that work on it.
struct Page {
    heading: String,
    lines: Vec<Line<'static>>,
    scroll: usize,
    keys: Keys,
}

/// Which keys the last line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// Of a text that scrolls.
    Pager,
    /// Of a list.
    List,
    /// Of the page that offers the demo.
    Offer,
}

/// How much of an open layer could be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerShown {
    /// How far it can scroll at most, in lines.
    pub max_scroll: usize,
    /// How many of its lines are shown at once.
    pub page_height: u16,
    /// Its last line was on the screen.
    pub end_visible: bool,
}

/// Draws the layer over the whole area.
pub fn draw(
    scene: &Scene<'_>,
    overlay: &Overlay,
    theme: Theme,
    area: Rect,
    frame: &mut Frame<'_>,
) -> LayerShown {
    Clear.render(area, frame.buffer_mut());
    let width = usize::from(area.width);
    let page = match overlay {
        Overlay::Help { scroll } => Page {
            heading: "Help".to_owned(),
            lines: help::lines(scene, theme, width),
            scroll: *scroll,
            keys: Keys::Pager,
        },
        Overlay::Call { call, scroll } => Page {
            heading: "The whole call".to_owned(),
            lines: call::lines(scene, call, theme, width),
            scroll: *scroll,
            keys: Keys::Pager,
        },
        Overlay::Servers { scroll } => Page {
            heading: "Servers".to_owned(),
            lines: servers::lines(scene.servers, theme, width),
            scroll: *scroll,
            keys: Keys::Pager,
        },
        Overlay::FirstRun => Page {
            heading: "Welcome to Keytide".to_owned(),
            lines: first_run::lines(theme, width),
            scroll: 0,
            keys: Keys::Offer,
        },
        Overlay::Browser(browser) => {
            return browser::draw(scene, browser, theme, area, frame);
        }
    };
    page.draw(scene, theme, area, frame)
}

impl Page {
    fn draw(
        self,
        scene: &Scene<'_>,
        theme: Theme,
        area: Rect,
        frame: &mut Frame<'_>,
    ) -> LayerShown {
        let [head, body, foot] = rows(area);
        let room = usize::from(body.height);
        let most = self.lines.len().saturating_sub(room);
        let top = self.scroll.min(most);
        let place = if most == 0 {
            String::new()
        } else {
            let last = (top + room).min(self.lines.len());
            format!("{}–{last} of {}", top + 1, self.lines.len())
        };
        let heading = heading(&self.heading, &place, theme, usize::from(head.width));
        put(&heading, head, frame);
        for (y, line) in (body.y..body.bottom()).zip(self.lines.iter().skip(top)) {
            frame.buffer_mut().set_line(body.x, y, line, body.width);
        }
        let keys = keys(scene, self.keys, most > 0);
        let keys = status::keys_line(&keys, theme, usize::from(foot.width));
        put(&keys, foot, frame);
        LayerShown {
            max_scroll: most,
            page_height: body.height,
            end_visible: room > 0 && top == most,
        }
    }
}

/// The heading with a blank line below, the body, and the keys with a blank line above; the blanks
/// only where there is room.
fn rows(area: Rect) -> [Rect; 3] {
    let roomy = area.height >= 10;
    let gap = u16::from(roomy);
    let head = Rect {
        height: area.height.min(1),
        ..area
    };
    let foot_height = u16::from(area.height >= 3);
    let foot = Rect {
        y: area.bottom() - foot_height,
        height: foot_height,
        ..area
    };
    let top = head.bottom() + gap;
    let body = Rect {
        y: top,
        height: (foot.y.saturating_sub(gap)).saturating_sub(top),
        ..area
    };
    [head, body, foot]
}

fn heading(words: &str, place: &str, theme: Theme, width: usize) -> Line<'static> {
    let words = text::cut_text(words, width);
    let free = width.saturating_sub(text::width(&words));
    let mut spans = vec![Span::styled(words, theme.heading())];
    if text::width(place) + 2 <= free {
        spans.push(Span::raw(" ".repeat(free - text::width(place))));
        spans.push(Span::styled(place.to_owned(), theme.dim()));
    }
    Line::from(spans)
}

fn put(line: &Line<'static>, area: Rect, frame: &mut Frame<'_>) {
    if area.height > 0 {
        frame
            .buffer_mut()
            .set_line(area.x, area.y, line, area.width);
    }
}

fn keys(scene: &Scene<'_>, keys: Keys, scrolls: bool) -> Vec<(String, &'static str)> {
    let actions: &[(Action, &str)] = match (keys, scrolls) {
        (Keys::List, _) => &[
            (Action::Open, "open"),
            (Action::Up, "up"),
            (Action::Down, "down"),
            (Action::Close, "close"),
        ],
        (Keys::Pager | Keys::Offer, false) | (Keys::Offer, true) => &[(Action::Close, "close")],
        (Keys::Pager, true) => &[
            (Action::Close, "close"),
            (Action::PageUp, "page up"),
            (Action::PageDown, "page down"),
            (Action::ToStart, "start"),
            (Action::ToEnd, "end"),
        ],
    };
    let mode = match keys {
        Keys::Pager | Keys::Offer => Mode::Pager,
        Keys::List => Mode::List,
    };
    let offer = (keys == Keys::Offer).then(|| (first_run::DEMO.to_owned(), "start the demo"));
    let bound = actions
        .iter()
        .map(|(action, what)| (scene.keymap.label(mode, *action), *what))
        .filter(|(label, _)| !label.is_empty());
    offer.into_iter().chain(bound).collect()
}
