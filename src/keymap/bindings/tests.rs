use crate::keymap::action::{Action, Mode};
use crate::keymap::bindings::{Keymap, KeymapError, table_markdown};
use crate::keymap::key::{Key, KeyCode, KeyMotion};
use crate::keymap::table::TABLE;

const MODES: [Mode; 5] = [
    Mode::Composer,
    Mode::Gate,
    Mode::Pager,
    Mode::List,
    Mode::Line,
];

fn with(pairs: &[(&str, &str)]) -> Result<Keymap, Vec<KeymapError>> {
    let own: Vec<(String, String)> = pairs
        .iter()
        .map(|(action, key)| ((*action).to_owned(), (*key).to_owned()))
        .collect();
    Keymap::with(&own)
}

#[test]
fn every_standard_key_is_a_key_and_means_one_thing() {
    for (row, keys) in Keymap::standard().rows() {
        assert_eq!(keys.len(), row.keys.len(), "{}", row.name);
    }
    assert_eq!(with(&[]), Ok(Keymap::standard()));
}

#[test]
fn the_gate_takes_the_keys_that_the_contract_names() {
    let keymap = Keymap::standard();
    for (key, action) in [
        (Key::char('y'), Some(Action::Run)),
        (Key::char('n'), Some(Action::Deny)),
        (Key::press(KeyCode::Esc), Some(Action::Deny)),
        (Key::char('r'), Some(Action::DenyWithReason)),
        (Key::char('v'), Some(Action::ViewCall)),
        (Key::ctrl('o'), Some(Action::ViewCall)),
        (Key::press(KeyCode::Tab), Some(Action::NextCall)),
        (Key::press(KeyCode::Up), Some(Action::PreviousCall)),
        (Key::press(KeyCode::Down), Some(Action::NextCall)),
        (Key::char('Y'), Some(Action::RunAll)),
        (Key::char('N'), Some(Action::DenyAll)),
        (Key::ctrl('c'), Some(Action::Interrupt)),
        (Key::ctrl('d'), None),
        (Key::press(KeyCode::Enter), None),
        (Key::char(' '), None),
        (Key::ctrl('y'), None),
        (Key::alt(KeyCode::Char('y')), None),
    ] {
        assert_eq!(keymap.action(Mode::Gate, &key), action, "{key:?}");
    }
}

#[test]
fn in_the_open_view_y_and_n_do_nothing_and_v_closes() {
    let keymap = Keymap::standard();
    assert_eq!(keymap.action(Mode::Pager, &Key::char('y')), None);
    assert_eq!(keymap.action(Mode::Pager, &Key::char('n')), None);
    assert_eq!(
        keymap.action(Mode::Pager, &Key::char('v')),
        Some(Action::Close)
    );
}

#[test]
fn a_key_that_comes_up_means_nothing() {
    let key = Key {
        motion: KeyMotion::Release,
        ..Key::char('y')
    };
    assert_eq!(Keymap::standard().action(Mode::Gate, &key), None);
}

#[test]
fn ctrl_c_interrupts_wherever_the_keyboard_is() {
    for mode in MODES {
        let action = Keymap::standard().action(mode, &Key::ctrl('c'));
        assert_eq!(action, Some(Action::Interrupt), "{mode:?}");
    }
}

#[test]
fn a_person_s_own_key_takes_the_place_of_the_standard_ones() {
    let keymap = with(&[("gate.run", "F9"), ("gate.run", "a")]).unwrap();
    assert_eq!(keymap.action(Mode::Gate, &Key::char('y')), None);
    assert_eq!(
        keymap.action(Mode::Gate, &Key::char('a')),
        Some(Action::Run)
    );
    assert_eq!(keymap.label(Mode::Gate, Action::Run), "F9");
}

#[test]
fn keys_that_look_like_enter_tab_or_esc_to_a_terminal_are_refused_everywhere() {
    for (key, like) in [
        ("Ctrl+M", "Enter"),
        ("ctrl+i", "Tab"),
        ("Ctrl+[", "Esc"),
        ("Ctrl+Alt+M", "Enter"),
    ] {
        for row in TABLE {
            let expected = KeymapError::Ambiguous {
                action: row.name.to_owned(),
                key: key.to_owned(),
                like,
            };
            assert_eq!(with(&[(row.name, key)]), Err(vec![expected]));
        }
    }
}

#[test]
fn nothing_pressed_in_passing_can_be_made_to_approve() {
    let keys = [
        "Enter",
        "Alt+Enter",
        "Shift+Enter",
        "Tab",
        "Shift+Tab",
        "Space",
        "Ctrl+Space",
        "Ctrl+J",
        "Esc",
        "Ctrl+C",
        "Up",
        "Down",
        "PgDn",
        "End",
    ];
    for key in keys {
        for action in ["gate.run", "gate.run_all"] {
            let errors = with(&[(action, key)]).unwrap_err();
            assert!(
                matches!(errors.first(), Some(KeymapError::NeverDecides { .. })),
                "{action} on {key}: {errors:?}"
            );
        }
    }
}

#[test]
fn a_character_that_has_to_be_typed_is_refused_where_people_write() {
    let expected = KeymapError::IsText {
        action: "composer.send".to_owned(),
        key: "s".to_owned(),
    };
    assert_eq!(with(&[("composer.send", "s")]), Err(vec![expected]));
    assert!(with(&[("help", "!")]).is_ok());
}

#[test]
fn one_key_for_two_things_in_one_place_is_refused_with_both_names() {
    let expected = KeymapError::Clash {
        key: "y".to_owned(),
        first: "gate.run",
        second: "gate.deny",
    };
    assert_eq!(with(&[("gate.deny", "y")]), Err(vec![expected]));
    let swapped = with(&[("gate.deny", "y"), ("gate.run", "n")]).unwrap();
    assert_eq!(
        swapped.action(Mode::Gate, &Key::char('n')),
        Some(Action::Run)
    );
}

#[test]
fn a_misspelt_name_is_told_with_the_nearest_one() {
    let errors = with(&[("gate.rum", "y"), ("gate.run", "Yes")]).unwrap_err();
    let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "nothing is called `gate.rum`; did you mean `gate.run`?",
            "`Yes` for `gate.run` is not a key (write `y`, `Ctrl+X`, `Alt+Enter` or `F5`)",
        ]
    );
}

#[test]
fn labels_are_what_the_key_line_shows() {
    let keymap = Keymap::standard();
    for (mode, action, label) in [
        (Mode::Gate, Action::Run, "y"),
        (Mode::Gate, Action::Interrupt, "Ctrl+C"),
        (Mode::Composer, Action::AskAgain, "F5"),
        (Mode::Composer, Action::PageUp, "PgUp"),
        (Mode::Composer, Action::Undo, "Ctrl+_"),
        (Mode::Composer, Action::Run, ""),
    ] {
        assert_eq!(keymap.label(mode, action), label);
    }
}

#[test]
fn names_are_used_once() {
    let mut names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TABLE.len());
}

#[test]
fn the_readme_has_the_key_table_that_the_program_uses() {
    // Read at run time: the README may come later than this test.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap_or_default();
    if readme.contains("name in `[keys]`") {
        assert!(readme.contains(&table_markdown()), "{}", table_markdown());
    }
}
