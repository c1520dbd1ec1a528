//! Stories about the draft: the true cursor stands where the next character goes.

use ratatui::buffer::CellDiffOption;

use crate::app::scene::Readiness;
use crate::keymap::key::{Key, KeyCode};
use crate::ui::tests::stage::{Stage, waiting};

fn stage_with(draft: &str) -> Stage {
    let mut stage = Stage::default();
    stage.composer.insert(draft);
    stage
}

fn left(stage: &mut Stage, times: usize) {
    for _ in 0..times {
        assert!(stage.composer.input(Key::press(KeyCode::Left)));
    }
}

/// The column and row of the cursor.
fn cursor(stage: &mut Stage, width: u16, height: u16) -> (u16, u16) {
    let at = stage.draw(width, height).cursor.unwrap();
    (at.x, at.y)
}

#[test]
fn wide_characters_count_as_two_columns() {
    let mut stage = stage_with("한글ab漢");
    assert_eq!(cursor(&mut stage, 80, 24), (2 + 8, 21));
    left(&mut stage, 2);
    assert_eq!(cursor(&mut stage, 80, 24), (2 + 5, 21));
}

#[test]
fn the_cursor_follows_soft_wraps() {
    let mut stage = stage_with("the tide comes in twice a day");
    assert_eq!(cursor(&mut stage, 20, 12), (2 + 12, 10));
    left(&mut stage, 16);

    assert_eq!(cursor(&mut stage, 20, 12), (2 + 13, 9));
}

#[test]
fn an_emoji_sequence_is_one_step_and_two_columns() {
    let mut stage = stage_with("a👩‍🔬b");
    assert_eq!(cursor(&mut stage, 80, 24).0, 2 + 4);
    left(&mut stage, 2);
    assert_eq!(cursor(&mut stage, 80, 24).0, 2 + 1);
}

#[test]
fn a_pasted_control_character_is_marked_and_kept() {
    let mut stage = stage_with("a\u{1b}[31mb");
    let picture = stage.draw(80, 24);
    assert!(picture.text().contains("› a␛[31mb"), "{}", picture.text());
    assert_eq!(picture.cursor.unwrap().x, 2 + 7);
    assert_eq!(stage.composer.text(), "a\u{1b}[31mb");
}

#[test]
fn a_long_draft_takes_a_third_of_the_screen_at_most() {
    let lines: Vec<String> = (0..50).map(|line| format!("draft {line}")).collect();
    let mut stage = stage_with(&lines.join("\n"));
    let text = stage.draw(80, 24).text();
    assert_eq!(text.matches("draft ").count(), 8, "{text}");
    assert!(text.contains("draft 49"), "{text}");
}

#[test]
fn going_up_follows_the_rows_on_the_screen() {
    let mut stage = stage_with("the tide comes in twice a day");
    stage.draw(20, 12);
    assert!(!stage.composer.at_first_line());
    assert!(stage.composer.at_last_line());
    assert!(stage.composer.input(Key::press(KeyCode::Up)));
    assert!(stage.composer.at_first_line());
    assert!(!stage.composer.at_last_line());
}

#[test]
fn the_cursor_is_hidden_while_keys_decide_and_shown_while_somebody_types() {
    let mut stage = stage_with("draft");
    stage.call(waiting("toolu_1"));
    stage.gate = Some((0, Readiness::Armed, 0));
    assert_eq!(stage.draw(80, 24).cursor, None);
    stage.gate = Some((0, Readiness::StopTyping, 0));
    assert_eq!(cursor(&mut stage, 80, 24).0, 7);
    stage.gate = Some((0, Readiness::Armed, 0));
    stage.reason = Some(("漢字x".into(), 2));
    assert_eq!(cursor(&mut stage, 80, 24).0, 10 + 4);
}

#[test]
fn what_stands_after_a_doubtful_character_is_written_with_every_frame() {
    let mut stage = Stage::default();
    stage.reply("👨‍👩‍👧‍👦 x\n\na=1;", true);
    let picture = stage.draw(40, 12);
    let options = |y: u16| -> Vec<CellDiffOption> {
        let row = (0..40).map(|x| picture.buffer[(x, y)].diff_option);
        row.collect()
    };
    assert_eq!(options(2)[2], CellDiffOption::None);
    assert!(
        options(2)[3..]
            .iter()
            .all(|option| *option == CellDiffOption::AlwaysUpdate)
    );
    assert!(
        options(4)
            .iter()
            .all(|option| *option == CellDiffOption::None)
    );
}
