use proptest::prelude::*;

use super::{Care, Piece, clean, plain};

fn shown(text: &str, care: Care) -> String {
    clean(text, care)
        .into_iter()
        .map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Mark(mark) => format!("[{mark}]"),
        })
        .collect()
}

#[test]
fn a_control_character_becomes_a_picture_when_reading() {
    assert_eq!(shown("a\u{1b}[2Kb\u{7}", Care::Reading), "a[␛][2Kb[␇]");
    assert_eq!(shown("a\u{9b}2K", Care::Reading), "a[\\u{9b}]2K");
    assert_eq!(shown("x\u{8}\u{7f}\r", Care::Reading), "x[␈␡␍]");
}

#[test]
fn every_invisible_character_is_spelled_out_when_deciding() {
    let cases = [
        (
            "a\u{202e}\u{2066}txt.exe\u{2069}",
            "a[\\u{202e}\\u{2066}]txt.exe[\\u{2069}]",
        ),
        (
            "ad\u{200b}min\u{2060}\u{feff}",
            "ad[\\u{200b}]min[\\u{2060}\\u{feff}]",
        ),
        ("\u{e0061}\u{e0062}", "[\\u{e0061}\\u{e0062}]"),
        (
            "x\u{34f}\u{ad}\u{fe0f}\u{fe0f}",
            "x[\\u{34f}\\u{ad}\\u{fe0f}\\u{fe0f}]",
        ),
        ("a\u{a0}b\u{202f}c", "a[\\u{a0}]b[\\u{202f}]c"),
        ("\u{1b}[8m", "[\\u{1b}][8m"),
        ("\u{301}x", "[\\u{301}]x"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text, Care::Deciding), expected);
    }
}

#[test]
fn emoji_and_joined_scripts_stay_whole_when_reading() {
    for text in [
        "👩‍🔬👨‍👩‍👧‍👦",
        "❤️",
        "1️⃣",
        "می‌خواهم",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "e\u{301}",
        "กำ",
        "가나다",
    ] {
        assert_eq!(shown(text, Care::Reading), text);
    }
}

#[test]
fn a_tower_of_marks_is_cut_before_it_covers_its_neighbours() {
    let tower = format!("e{}", "\u{301}".repeat(40));
    let drawn = shown(&tower, Care::Reading);
    assert_eq!(drawn.chars().filter(|char| *char == '\u{301}').count(), 15);
    assert!(drawn.contains("\\u{301}"));
}

#[test]
fn keys_that_differ_by_a_character_of_no_width_look_different() {
    assert_ne!(
        plain("name", Care::Deciding),
        plain("na\u{200b}me", Care::Deciding)
    );
}

proptest! {
    #[test]
    fn no_control_character_passes(text in any::<String>()) {
        for care in [Care::Reading, Care::Deciding] {
            let drawn = shown(&text, care);
            prop_assert!(drawn.chars().all(|char| char == '\t' || !char.is_control()));
        }
    }

    #[test]
    fn what_decides_tells_all_texts_apart(a in "[ab\u{200b}\u{202e}\u{ad}]{0,6}", b in "[ab\u{200b}\u{202e}\u{ad}]{0,6}") {
        prop_assert_eq!(a == b, shown(&a, Care::Deciding) == shown(&b, Care::Deciding));
    }
}
