use proptest::prelude::*;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::{Wrap, cut_text, line_width, paragraph, width, wrap};
use crate::app::scene::{ColorDepth, Looks};
use crate::ui::sanitize::Care;
use crate::ui::theme::Theme;

fn theme() -> Theme {
    Theme::of(Looks {
        theme: "auto",
        colors: ColorDepth::Ansi,
    })
}

fn wrapped(text: &str, how: Wrap) -> Vec<String> {
    let lines = paragraph(text, Style::new(), Care::Reading, how, theme());
    lines.iter().map(Line::to_string).collect()
}

#[test]
fn words_stay_whole_as_long_as_they_fit() {
    let lines = wrapped("the tide comes in twice a day", Wrap::words(10));
    assert_eq!(lines, ["the tide", "comes in", "twice a", "day"]);
}

#[test]
fn a_word_longer_than_the_line_is_broken() {
    assert_eq!(
        wrapped("abcdefgh ij", Wrap::words(4)),
        ["abcd", "efgh", "ij"]
    );
}

#[test]
fn wide_characters_break_anywhere_and_never_stand_half_over_the_edge() {
    assert_eq!(
        wrapped("高潮は六時", Wrap::words(5)),
        ["高潮", "は六", "時"]
    );
    assert_eq!(wrapped("高", Wrap::words(1)), ["…"]);
}

#[test]
fn a_text_that_decides_loses_no_space() {
    let lines = wrapped("rm -rf /     x", Wrap::anywhere(9));
    assert_eq!(lines, ["rm -rf / ", "    x"]);
}

#[test]
fn tabs_reach_the_next_stop() {
    assert_eq!(wrapped("a\tb", Wrap::words(20)), ["a   b"]);
}

#[test]
fn styles_survive_a_break_within_them() {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let spans = [Span::raw("one "), Span::styled("two three", bold)];
    let lines = wrap(&spans, Wrap::words(8));
    assert_eq!(
        lines,
        [
            Line::from(vec![Span::raw("one "), Span::styled("two", bold)]),
            Line::from(Span::styled("three", bold)),
        ]
    );
}

#[test]
fn a_cut_text_says_so() {
    assert_eq!(cut_text("high water", 6), "high …");
    assert_eq!(cut_text("高潮は", 4), "高…");
    assert_eq!(cut_text("x", 0), "");
}

proptest! {
    #[test]
    fn no_line_is_wider_than_asked(text in any::<String>(), columns in 1_usize..=200) {
        for how in [Wrap::words(columns), Wrap::anywhere(columns)] {
            for care in [Care::Reading, Care::Deciding] {
                for line in paragraph(&text, Style::new(), care, how, theme()) {
                    prop_assert!(line_width(&line) <= columns, "{line:?}");
                }
            }
        }
    }

    #[test]
    fn wide_and_joined_characters_keep_to_the_width(
        text in "[a 한é👩🔬\u{200d}\u{fe0f}❤🇩🇪\u{301}\u{1100}\u{1161}ﾞกำ]{0,40}",
        columns in 1_usize..=12,
    ) {
        for line in paragraph(&text, Style::new(), Care::Reading, Wrap::words(columns), theme()) {
            prop_assert!(line_width(&line) <= columns, "{line:?}");
        }
    }

    #[test]
    fn breaking_anywhere_swallows_nothing(text in "[ -~]{0,80}", columns in 1_usize..=20) {
        prop_assert_eq!(wrapped(&text, Wrap::anywhere(columns)).concat(), text);
    }

    #[test]
    fn a_cut_text_fits(text in "[ -~한👩\u{200d}é]{0,30}", columns in 0_usize..=12) {
        prop_assert!(width(&cut_text(&text, columns)) <= columns);
    }
}
