use crate::app::composer::Composer;
use crate::keymap::key::{Key, KeyCode, KeyMotion, Mods};

fn composer(text: &str) -> Composer {
    let mut composer = Composer::default();
    composer.insert(text);
    composer
}

fn press(composer: &mut Composer, keys: &[Key]) {
    for key in keys {
        assert!(composer.input(*key), "{key:?}");
    }
}

#[test]
fn a_paste_is_text_and_its_line_ends_are_line_feeds() {
    let composer = composer("one\r\ntwo\rthree\n");
    assert_eq!(composer.text(), "one\ntwo\nthree\n");
}

#[test]
fn three_keys_begin_a_new_line_and_enter_alone_does_not() {
    let mut composer = composer("a");
    let shift_enter = Key {
        code: KeyCode::Enter,
        mods: Mods::SHIFT,
        motion: KeyMotion::Press,
    };
    press(
        &mut composer,
        &[Key::ctrl('j'), Key::alt(KeyCode::Enter), shift_enter],
    );
    assert_eq!(composer.text(), "a\n\n\n");
    assert!(!composer.input(Key::press(KeyCode::Enter)));
    assert_eq!(composer.text(), "a\n\n\n");
}

#[test]
fn the_keys_of_a_shell_edit_the_line() {
    let mut composer = composer("one two three");
    press(&mut composer, &[Key::ctrl('w')]);
    assert_eq!(composer.text(), "one two ");
    press(
        &mut composer,
        &[Key::ctrl('a'), Key::alt(KeyCode::Char('d'))],
    );
    assert_eq!(composer.text(), " two ");
    press(&mut composer, &[Key::ctrl('e'), Key::ctrl('u')]);
    assert_eq!(composer.text(), "");
    press(&mut composer, &[Key::ctrl('y')]);
    assert_eq!(composer.text(), " two ");
    press(&mut composer, &[Key::ctrl('_')]);
    assert_eq!(composer.text(), "");
    press(&mut composer, &[Key::alt(KeyCode::Char('_'))]);
    assert_eq!(composer.text(), " two ");
}

#[test]
fn what_is_drawn_as_one_character_is_deleted_as_one() {
    let mut composer = composer("a👩‍🔬e\u{301}");
    press(&mut composer, &[Key::press(KeyCode::Backspace)]);
    assert_eq!(composer.text(), "a👩‍🔬");
    press(&mut composer, &[Key::press(KeyCode::Backspace)]);
    assert_eq!(composer.text(), "a");
}

#[test]
fn delete_at_a_line_end_joins_the_lines() {
    let mut composer = composer("a\nb");
    press(
        &mut composer,
        &[
            Key::press(KeyCode::Up),
            Key::press(KeyCode::End),
            Key::press(KeyCode::Delete),
        ],
    );
    assert_eq!(composer.text(), "ab");
}

#[test]
fn history_keeps_the_draft_below_the_newest_message() {
    let mut composer = composer("first");
    assert_eq!(composer.take(), "first");
    composer.insert("second");
    assert_eq!(composer.take(), "second");
    composer.insert("draft");
    assert!(composer.history_back());
    assert_eq!(composer.text(), "second");
    assert!(composer.history_back());
    assert_eq!(composer.text(), "first");
    assert!(!composer.history_back());
    assert_eq!(composer.text(), "first");
    assert!(composer.history_forward());
    assert!(composer.history_forward());
    assert_eq!(composer.text(), "draft");
    assert!(!composer.history_forward());
}

#[test]
fn blank_texts_and_repeats_are_not_remembered() {
    let mut composer = composer("same");
    composer.take();
    composer.insert("same");
    composer.take();
    composer.insert("  \n");
    composer.take();
    assert!(composer.history_back());
    assert_eq!(composer.text(), "same");
    assert!(!composer.history_back());
}

#[test]
fn a_key_that_comes_up_does_nothing() {
    let mut composer = Composer::default();
    let release = Key {
        motion: KeyMotion::Release,
        ..Key::char('y')
    };
    assert!(!composer.input(release));
    assert!(composer.is_empty());
}
