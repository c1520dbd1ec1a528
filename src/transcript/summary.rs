//! A transcript as a line in a list.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::chat::id::TranscriptId;
use crate::chat::moment::Timestamp;

/// What a list shows of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Which transcript.
    pub id: TranscriptId,
    /// Its title, else its first message, else nothing.
    pub title: String,
    /// The working folder it was made in.
    pub folder: String,
    /// When it was last written.
    pub changed: Timestamp,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// It is open in another program.
    pub in_use: bool,
}

/// The longest title, in graphemes.
const LONGEST: usize = 60;

/// Makes a title of the first message: one line, without control characters.
pub fn title_of(message: &str) -> String {
    let words: Vec<&str> = message
        .split(|c: char| c.is_whitespace() || is_harmful(c))
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    let mut graphemes = line.graphemes(true);
    let start: String = graphemes.by_ref().take(LONGEST).collect();
    if graphemes.next().is_none() {
        start
    } else {
        format!("{}…", start.trim_end())
    }
}

/// Makes text harmless for a terminal: what acts on it becomes visible.
pub fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| if is_harmful(c) { '\u{fffd}' } else { c })
        .collect()
}

/// Control characters, and characters that are not seen or change the direction of the text.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2028}'..='\u{2029}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_title_is_one_line_cut_at_a_grapheme_without_control_characters() {
        assert_eq!(
            title_of("  мой-проект\n\u{1b}[31mred\0 ../x "),
            "мой-проект [31mred ../x"
        );
        assert_eq!(title_of(&"👩‍🔬".repeat(70)), format!("{}…", "👩‍🔬".repeat(60)));
        assert_eq!(title_of(" \n "), "");
    }
}
