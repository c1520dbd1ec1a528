//! Which terminal modes a program set and which it gave back (U5), read from its bytes.

use std::collections::BTreeSet;

/// What a program left behind.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// DEC private modes that stayed set; 25 stands for a cursor that stayed hidden.
    pub modes: BTreeSet<u16>,
    /// How many pushes of the keyboard protocol were not popped.
    pub keyboard: i32,
    /// Whether xterm's modifyOtherKeys stayed on.
    pub other_keys: bool,
    /// Bytes printed in the alternate screen after the last change of screen.
    pub on_main_screen: bool,
}

/// Replays the bytes that a program wrote and returns what it left.
pub fn left_by(log: &[u8]) -> Left {
    let mut left = Left {
        on_main_screen: true,
        ..Left::default()
    };
    for sequence in sequences(log) {
        let Some(last) = sequence.last().copied() else {
            continue;
        };
        let parameters = String::from_utf8_lossy(&sequence[..sequence.len() - 1]).into_owned();
        match (parameters.chars().next(), last) {
            (Some('?'), b'h' | b'l') => set_modes(&mut left, &parameters[1..], last == b'h'),
            (Some('>'), b'u') => left.keyboard += 1,
            (Some('<'), b'u') => left.keyboard -= parameters[1..].parse().unwrap_or(1),
            (Some('>'), b'm') => left.other_keys = !matches!(&*parameters, ">4" | ">4;0" | ">"),
            _ => {}
        }
    }
    left.on_main_screen = [47, 1047, 1049]
        .iter()
        .all(|mode| !left.modes.contains(mode));
    left
}

fn set_modes(left: &mut Left, numbers: &str, set: bool) {
    for mode in numbers.split(';').filter_map(|number| number.parse().ok()) {
        // Of the cursor the hidden state is the one to give back; wrapping is on from the start.
        let changed = if matches!(mode, 25 | 7) { !set } else { set };
        if changed {
            left.modes.insert(mode);
        } else {
            left.modes.remove(&mode);
        }
    }
}

/// The control sequences (CSI) in some bytes, without their introducer.
fn sequences(log: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut rest = log;
    while let Some(at) = rest.windows(2).position(|pair| pair == b"\x1b[") {
        rest = &rest[at + 2..];
        if let Some(end) = rest.iter().position(|byte| (0x40..=0x7e).contains(byte)) {
            found.push(&rest[..=end]);
        }
    }
    found
}

/// Removes escape sequences, so that only text is left.
pub fn without_escapes(log: &[u8]) -> String {
    let text = String::from_utf8_lossy(log);
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\x1b' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('[') => {
                while chars
                    .next()
                    .is_some_and(|c| !('\x40'..='\x7e').contains(&c))
                {}
            }
            Some(']' | 'P' | '_' | '^') => {
                while let Some(c) = chars.next() {
                    if c == '\x07' {
                        break;
                    }
                    if c == '\x1b' {
                        chars.next();
                        break;
                    }
                }
            }
            Some('(' | ')' | '#' | ' ') => drop(chars.next()),
            _ => {}
        }
    }
    out
}

#[test]
fn a_mode_that_is_not_given_back_is_named() {
    let log = b"\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[>1u hi \x1b[?1049l\x1b[<u";
    assert_eq!(
        left_by(log),
        Left {
            modes: [25, 2004].into(),
            keyboard: 0,
            other_keys: false,
            on_main_screen: true
        }
    );
    assert_eq!(
        without_escapes(b"\x1b[1;2Ha\x1b]0;title\x07b\x1b(Bc"),
        "abc"
    );
}
