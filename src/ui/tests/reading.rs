//! Stories about reading: following, scrolling away, and text that arrives meanwhile.

use crate::app::scroll::{Anchor, Wish};
use crate::ui::Cache;
use crate::ui::tests::stage::{Picture, Stage, done};

fn numbered(from: usize, to: usize) -> String {
    let lines: Vec<String> = (from..to).map(|line| format!("line {line}")).collect();
    lines.join("\n")
}

/// A reply of 100 lines that goes on.
fn streaming() -> Stage {
    let mut stage = Stage::default();
    stage.person("Count").reply(&numbered(0, 100), false);
    stage
}

fn page_up(stage: &mut Stage, pages: i32) -> Picture {
    stage.scroll.wish_for(Wish::By {
        pages: -pages,
        lines: 0,
    });
    stage.settle(80, 24)
}

/// The first line of the conversation on the screen.
fn top(picture: &Picture) -> String {
    let row = picture.rows().nth(2).unwrap();
    row.trim().to_owned()
}

#[test]
fn the_newest_line_is_seen_while_nobody_scrolls() {
    let mut stage = streaming();
    for line in 100..140 {
        stage.grow(&format!("\nline {line}"));
        assert!(
            stage
                .settle(80, 24)
                .text()
                .contains(&format!("line {line}"))
        );
    }
}

#[test]
fn the_view_stays_where_it_is_while_text_arrives_and_the_pill_counts_it() {
    let mut stage = streaming();
    stage.settle(80, 24);
    let before = top(&page_up(&mut stage, 3));
    for line in 100..130 {
        stage.grow(&format!("\nline {line}"));
        let picture = stage.settle(80, 24);
        assert_eq!(top(&picture), before);
    }
    let picture = stage.draw(80, 24);
    assert!(
        picture.text().contains("↓ 30 new lines"),
        "{}",
        picture.text()
    );
    stage.call(done("toolu_1", "more"));
    assert_eq!(top(&stage.settle(80, 24)), before);
}

#[test]
fn the_end_key_follows_again() {
    let mut stage = streaming();
    stage.settle(80, 24);
    page_up(&mut stage, 2);
    stage.scroll.wish_for(Wish::End);
    let picture = stage.settle(80, 24);
    assert_eq!(picture.shown.anchor, Anchor::Follow);
    stage.grow("\nthe last line");
    assert!(stage.settle(80, 24).text().contains("the last line"));
}

#[test]
fn paging_down_to_the_end_follows_by_itself() {
    let mut stage = streaming();
    stage.settle(80, 24);
    page_up(&mut stage, 1);
    stage.scroll.wish_for(Wish::By { pages: 1, lines: 0 });
    assert_eq!(stage.settle(80, 24).shown.anchor, Anchor::Follow);
}

#[test]
fn pages_up_and_down_overlap_by_a_line_and_come_back() {
    let mut stage = streaming();
    stage.settle(80, 24);
    let first = page_up(&mut stage, 2);
    let second = page_up(&mut stage, 1);
    let last_of_second: Vec<String> = second.rows().collect();
    let height = usize::from(second.shown.page_height);
    assert!(last_of_second[1 + height].trim().starts_with(&top(&first)));
    stage.scroll.wish_for(Wish::By { pages: 1, lines: 0 });
    assert_eq!(top(&stage.settle(80, 24)), top(&first));
}

#[test]
fn the_beginning_is_reached_and_not_passed() {
    let mut stage = streaming();
    stage.settle(80, 24);
    stage.scroll.wish_for(Wish::Start);
    assert_eq!(top(&stage.settle(80, 24)), "› Count");
    assert_eq!(top(&page_up(&mut stage, 5)), "› Count");
}

/// The number of the first word of a line like `word7 word8`.
fn first_word(line: &str) -> usize {
    let word = line.split(' ').next().unwrap();
    word.trim_start_matches("word").parse().unwrap()
}

#[test]
fn a_window_that_changes_keeps_the_reading_place() {
    let mut stage = Stage::default();
    let text: Vec<String> = (0..300).map(|word| format!("word{word}")).collect();
    stage
        .person("Go")
        .reply(&text.join(" "), true)
        .reply(&numbered(0, 60), true);
    stage.settle(80, 24);
    stage.scroll.wish_for(Wish::By {
        pages: 0,
        lines: -70,
    });
    let before = top(&stage.settle(80, 24));
    let first = first_word(&before);
    stage.settle(40, 24);
    stage.settle(100, 30);
    let after = top(&stage.settle(80, 24));
    let last = first_word(&after);
    assert!(first.abs_diff(last) < 40, "{before} / {after}");
}

#[test]
fn dropping_the_cache_changes_nothing() {
    let mut stage = streaming();
    stage.settle(80, 24);
    page_up(&mut stage, 2);
    for line in 100..110 {
        stage.grow(&format!("\n- item **{line}**\n\n```rs\ncode {line}\n```\n"));
        let warm = stage.draw(80, 24);
        let kept = std::mem::take(&mut stage.cache);
        let cold = stage.draw(80, 24);
        stage.cache = kept;
        assert_eq!(warm.buffer, cold.buffer);
        assert_eq!(warm.shown, cold.shown);
    }
    stage.cache = Cache::default();
}

#[test]
fn details_fold_with_an_exact_count() {
    let mut stage = Stage::default();
    stage.call(done("toolu_1", &numbered(0, 20)));
    let folded = stage.draw(60, 40).text();
    assert!(folded.contains("line 5\n  … 14 more lines"), "{folded}");
    stage.unfolded = true;
    assert!(stage.draw(60, 40).text().contains("line 19"));
}
