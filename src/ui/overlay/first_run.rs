//! What to do without a key: the demo, or how to give one.

use ratatui::text::Line;

use crate::ui::overlay::help;
use crate::ui::sanitize::Care;
use crate::ui::text::{self, Wrap};
use crate::ui::theme::Theme;

/// The key that starts the demo.
pub(super) const DEMO: &str = "d";

const WHY: &str = "There is no API key yet, so there is no model to talk to.";
const HOW: &str = "To talk to a model, set one of these and start again:";
const WHERE: &str = "A .env file in this folder works too. Keytide never writes a key to the disk. \
                     `keytide doctor` says what works.";

/// The variables to set, and what for.
const VARIABLES: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "a key for Claude"),
    (
        "ANTHROPIC_BASE_URL",
        "another service that speaks the Messages API; one on this machine needs no key",
    ),
];

/// The widest name.
const COLUMN: usize = "ANTHROPIC_BASE_URL".len();

/// Lays the page out.
pub(super) fn lines(theme: Theme, width: usize) -> Vec<Line<'static>> {
    let said = |said| text::paragraph(said, theme.text(), Care::Reading, Wrap::words(width), theme);
    let row = |name: &str, what| help::row(name, what, COLUMN, theme, width);
    let demo = "try the demo: a scripted model and a real tool server, offline";
    let mut lines = said(WHY);
    lines.push(Line::default());
    lines.extend(row(DEMO, demo));
    lines.extend(row("Esc", "look around without a model"));
    lines.push(Line::default());
    lines.extend(said(HOW));
    for (name, whose) in VARIABLES {
        lines.extend(row(name, whose));
    }
    lines.push(Line::default());
    lines.extend(said(WHERE));
    lines
}
