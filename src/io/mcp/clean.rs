//! Text from a server, made fit for one line on a screen.

/// The longest line that is kept, in characters.
const LONGEST: usize = 2_000;

/// Returns the text on one line without escape sequences, control characters and characters that
/// change the direction of the text. Long text is cut with an ellipsis.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::new();
    let mut kept = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if kept == LONGEST {
            out.push('…');
            break;
        }
        if c == '\u{1b}' {
            skip_sequence(&mut rest);
        } else if c == '\t' || c == '\n' {
            out.push(' ');
            kept += 1;
        } else if !is_unsafe(c) {
            out.push(c);
            kept += 1;
        }
    }
    out.trim_end().to_owned()
}

/// Tells whether a character must not reach a terminal.
const fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Skips what belongs to an escape that was just read.
fn skip_sequence(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match rest.next() {
        // CSI: up to its final character.
        Some('[') => {
            while rest.next_if(|c| matches!(c, '\u{20}'..='\u{3f}')).is_some() {}
            rest.next_if(|c| matches!(c, '\u{40}'..='\u{7e}'));
        }
        // OSC, DCS and the like: up to BEL or ESC \.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(c) = rest.next_if(|c| *c != '\n') {
                if c == '\u{7}' {
                    return;
                }
                if c == '\u{1b}' {
                    rest.next_if_eq(&'\\');
                    return;
                }
            }
        }
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_on_a_terminal_is_left() {
        assert_eq!(one_line("a\u{1b}[31mred\u{1b}[0m\tb\r"), "ared b");
        assert_eq!(one_line("x\u{1b}]0;title\u{7}y\u{1b}]8;;u\u{1b}\\z"), "xyz");
        assert_eq!(one_line("e\u{202e}vil\u{9b}2K\u{0}"), "evil2K");
        assert_eq!(one_line("\u{1b}"), "");
        assert_eq!(one_line("职里缘 ✅"), "职里缘 ✅");
        assert_eq!(one_line(&"x".repeat(5_000)).chars().count(), LONGEST + 1);
    }
}
