//! Styles by meaning: the only place that knows colours.

use ratatui::style::{Color, Modifier, Style};

use crate::app::scene::{ColorDepth, Looks};

/// What things look like.
///
/// The default follows the terminal's own palette: default foreground, dim for the secondary, one
/// accent. Red is for failures only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Theme {
    accent: Color,
    attention: Color,
    failure: Color,
    /// Without colours, attributes alone carry the meaning.
    colorless: bool,
    /// Dim is too faint on some palettes; these say their own grey instead.
    faint: Option<Color>,
}

impl Theme {
    /// Chooses the styles for a theme's name and a terminal's colours.
    pub fn of(looks: Looks<'_>) -> Self {
        let colorless = looks.colors == ColorDepth::None || looks.theme == "none";
        if colorless {
            return Self::plain();
        }
        match (looks.theme, looks.colors) {
            ("dark", ColorDepth::True) => Self {
                accent: Color::Rgb(122, 187, 196),
                attention: Color::Rgb(222, 184, 106),
                failure: Color::Rgb(226, 114, 114),
                colorless: false,
                faint: Some(Color::Rgb(134, 140, 148)),
            },
            ("light", ColorDepth::True) => Self {
                accent: Color::Rgb(0, 105, 120),
                attention: Color::Rgb(142, 90, 0),
                failure: Color::Rgb(176, 32, 36),
                colorless: false,
                faint: Some(Color::Rgb(104, 108, 114)),
            },
            ("dark", ColorDepth::Indexed) => Self {
                accent: Color::Indexed(109),
                attention: Color::Indexed(179),
                failure: Color::Indexed(167),
                colorless: false,
                faint: Some(Color::Indexed(245)),
            },
            ("light", ColorDepth::Indexed) => Self {
                accent: Color::Indexed(30),
                attention: Color::Indexed(94),
                failure: Color::Indexed(124),
                colorless: false,
                faint: Some(Color::Indexed(242)),
            },
            _ => Self::ansi(),
        }
    }

    const fn ansi() -> Self {
        Self {
            accent: Color::Cyan,
            attention: Color::Yellow,
            failure: Color::Red,
            colorless: false,
            faint: None,
        }
    }

    const fn plain() -> Self {
        Self {
            accent: Color::Reset,
            attention: Color::Reset,
            failure: Color::Reset,
            colorless: true,
            faint: None,
        }
    }

    /// Plain text.
    pub const fn text(self) -> Style {
        Style::new()
    }

    /// What is secondary.
    pub const fn dim(self) -> Style {
        match self.faint {
            Some(color) => Style::new().fg(color),
            None => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// The one accent.
    pub const fn accent(self) -> Style {
        if self.colorless {
            Style::new().add_modifier(Modifier::BOLD)
        } else {
            Style::new().fg(self.accent)
        }
    }

    /// What the person must look at: the gate, a warning.
    pub const fn attention(self) -> Style {
        if self.colorless {
            Style::new().add_modifier(Modifier::BOLD)
        } else {
            Style::new().fg(self.attention)
        }
    }

    /// A failure.
    pub const fn failure(self) -> Style {
        if self.colorless {
            Style::new().add_modifier(Modifier::BOLD)
        } else {
            Style::new().fg(self.failure)
        }
    }

    /// What is important within its line.
    pub const fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What the person said.
    pub const fn person(self) -> Style {
        self.accent()
    }

    /// A heading in a reply.
    pub const fn heading(self) -> Style {
        self.accent().add_modifier(Modifier::BOLD)
    }

    /// Emphasis in a reply.
    pub const fn emphasis(self) -> Style {
        Style::new().add_modifier(Modifier::ITALIC)
    }

    /// Text that was struck out.
    pub const fn struck(self) -> Style {
        Style::new().add_modifier(Modifier::CROSSED_OUT)
    }

    /// Code within a line.
    pub const fn code(self) -> Style {
        self.accent()
    }

    /// A block of code.
    pub const fn code_block(self) -> Style {
        Style::new()
    }

    /// The words of a link.
    pub const fn link(self) -> Style {
        Style::new().add_modifier(Modifier::UNDERLINED)
    }

    /// The mark that stands for a character that can't be shown.
    pub const fn mark(self) -> Style {
        if self.colorless {
            Style::new().add_modifier(Modifier::REVERSED)
        } else {
            Style::new()
                .fg(self.attention)
                .add_modifier(Modifier::REVERSED)
        }
    }

    /// The mark that stands for a secret.
    pub const fn secret(self) -> Style {
        self.attention().add_modifier(Modifier::ITALIC)
    }

    /// A key in a line of keys.
    pub const fn key(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The count of what is new below.
    pub const fn pill(self) -> Style {
        self.accent().add_modifier(Modifier::REVERSED)
    }

    /// The chosen line of a list.
    pub const fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
