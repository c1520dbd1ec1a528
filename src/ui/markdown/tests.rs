use proptest::prelude::*;
use ratatui::text::Line;

use super::stream::Stream;
use super::{Page, render};
use crate::app::scene::{ColorDepth, Looks};
use crate::ui::text::line_width;
use crate::ui::theme::Theme;

fn page(width: usize) -> Page {
    let looks = Looks {
        theme: "auto",
        colors: ColorDepth::Ansi,
    };
    Page {
        width,
        theme: Theme::of(looks),
    }
}

fn drawn(source: &str, width: usize) -> String {
    let lines = render(source, page(width));
    let lines: Vec<String> = lines
        .iter()
        .map(|line| line.to_string().trim_end().to_owned())
        .collect();
    lines.join("\n")
}

#[test]
fn line_ends_of_the_source_stay_line_ends() {
    assert_eq!(
        drawn("line 1\nline 2\nline 3", 40),
        "line 1\nline 2\nline 3"
    );
}

#[test]
fn lists_nest_and_long_items_hang() {
    let source = "1. first\n   - inner with a long tail\n2. second\n\n* loose\n\n* items";
    insta::assert_snapshot!(drawn(source, 18), @"
    1. first
       • inner with a
         long tail
    2. second

    • loose

    • items
    ");
}

#[test]
fn a_table_shrinks_to_the_width() {
    let source = "| name | what it does |\n|:--|--:|\n| a | reads the tide table |\n| bb | x |";
    insta::assert_snapshot!(drawn(source, 40), @"
    name          what it does
    ────  ────────────────────
    a     reads the tide table
    bb                       x
    ");
    insta::assert_snapshot!(drawn(source, 18), @"
    name  what it does
    ────  ────────────
    a        reads the
            tide table
    bb               x
    ");
    insta::assert_snapshot!(drawn(source, 7), @"
    name: a
    what it
    does:
    reads
    the
    tide
    table

    name:
    bb
    what it
    does: x
    ");
}

#[test]
fn quotes_code_rules_and_tasks() {
    let source = "> quoted\n>\n> > deeper\n\n---\n\n```rust\nfn main() {}\n\n  x\n```\n\n- [x] done\n- [ ] open\n\n<b>html</b> and $x^2$ and ~~old~~";
    insta::assert_snapshot!(drawn(source, 30), @"
    ▎ quoted
    ▎
    ▎ ▎ deeper

    ────────────────────────

      rust
      fn main() {}

        x

    • [x] done
    • [ ] open

    <b>html</b> and $x^2$ and old
    ");
}

#[test]
fn a_link_shows_where_it_leads() {
    assert_eq!(
        drawn("see [here](https://tides.test) or <https://a.test>", 80),
        "see here (https://tides.test) or https://a.test"
    );
}

#[test]
fn an_entity_can_not_smuggle_a_control_character() {
    let text = drawn("a&#27;[2J&#x202e;b", 40);
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
}

/// Feeds a source in pieces and returns the lines.
fn streamed(source: &str, cuts: &[usize], page: Page) -> Vec<Line<'static>> {
    let mut stream = Stream::new(page);
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (source.len() + 1)).collect();
    cuts.sort_unstable();
    let mut finished: Vec<Line<'static>> = Vec::new();
    for cut in cuts {
        if let Some(part) = source.get(..cut) {
            stream.update(part);
            assert!(
                stream.lines().starts_with(&finished),
                "a finished line has changed"
            );
            finished = stream.lines()[..stream.finished()].to_vec();
        }
    }
    stream.update(source);
    stream.lines().to_vec()
}

/// Pieces that documents are made of. There are no link definitions among them: while a reply
/// arrives, an address that is given at its end is not known.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "\n",
        "\n\n",
        "word ",
        "- item\n",
        "  - inner\n",
        "1. one\n",
        "> quote\n",
        "```\n",
        "```rs\n",
        "~~~\n",
        "    code\n",
        "# Head\n",
        "---\n",
        "===\n",
        "***",
        "**b**",
        "`c`",
        "|",
        "| a | b |\n",
        "|---|---|\n",
        "<b>",
        "<div>\n",
        "\t",
        "  ",
        "é한👩‍🔬",
        "\\",
        "*",
        "_",
        "[x](y)",
        "+ plus\n",
        "\r\n",
        "&amp;",
        "- [ ] t\n",
        "``",
        "`",
        "- \n",
        "-",
        "1)",
        "<!-- ",
        "-->\n",
    ])
}

proptest! {
    #[test]
    fn a_streamed_text_looks_like_the_same_text_at_once(
        pieces in prop::collection::vec(piece(), 0..40),
        cuts in prop::collection::vec(0_usize..4_000, 0..30),
        width in 1_usize..60,
    ) {
        let source = pieces.concat();
        let at_once = render(&source, page(width));
        let open = streamed(&source, &cuts, page(width));
        let text = |lines: &[Line<'_>]| -> Vec<String> {
            lines.iter().map(Line::to_string).collect()
        };
        // An open block of code may still hide what could become its end.
        if !source.trim_end().ends_with(['`', '~']) {
            prop_assert_eq!(text(&open), text(&at_once));
        }
    }

    #[test]
    fn no_line_is_wider_than_the_page(
        pieces in prop::collection::vec(piece(), 0..30),
        noise in any::<String>(),
        width in 1_usize..=60,
    ) {
        for source in [pieces.concat(), noise] {
            for line in render(&source, page(width)) {
                prop_assert!(line_width(&line) <= width, "{line:?}");
            }
        }
    }
}
