//! A tool's public name, made from its server's name and its own.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::chat::id::{ServerName, ToolName};

/// The most characters that every provider takes.
pub const LONGEST: usize = 64;

/// Hexadecimal digits of the mark that keeps altered names apart.
const MARK: usize = 8;

/// What stands between the server's name and the tool's.
const BETWEEN: &str = "__";

/// Returns the public name of a tool: `server__tool` in `[A-Za-z0-9_-]`, at most 64 characters.
///
/// The same pair always gets the same name, whatever else is known. Where the plain name would
/// not fit, or could be read as another pair, a mark made from both true names is added; `salt` of
/// more than 0 gives further marks, for the one in four thousand million that meets its twin.
pub fn public_name(server: &ServerName, tool: &str, salt: u32) -> ToolName {
    let (server, tool) = (server.as_str(), tool);
    if salt == 0 && is_plain(server, tool) {
        return ToolName::new(format!("{server}{BETWEEN}{tool}"));
    }
    let (safe_server, safe_tool) = (replaced(server), replaced(tool));
    let room = LONGEST - MARK - 1 - BETWEEN.len();
    let server_room = room.saturating_sub(safe_tool.len()).max(room / 2);
    let head: String = safe_server.chars().take(server_room).collect();
    let tail: String = safe_tool.chars().take(room - head.len()).collect();
    let mark = mark(server, tool, salt);
    ToolName::new(format!("{head}{BETWEEN}{tail}_{mark}"))
}

/// Tells whether the plain name is allowed and stands for this pair only. A server name that
/// holds the separator, or ends in a part of it, could be read in two ways.
fn is_plain(server: &str, tool: &str) -> bool {
    let allowed = |text: &str| !text.is_empty() && text.chars().all(is_allowed);
    server.len() + BETWEEN.len() + tool.len() <= LONGEST
        && allowed(server)
        && allowed(tool)
        && !server.contains(BETWEEN)
        && !server.ends_with('_')
}

const fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn replaced(text: &str) -> String {
    let safe = |c: char| if is_allowed(c) { c } else { '_' };
    text.chars().map(safe).collect()
}

fn mark(server: &str, tool: &str, salt: u32) -> String {
    let mut hash = Sha256::new();
    hash.update((server.len() as u64).to_be_bytes());
    hash.update(server.as_bytes());
    hash.update(tool.as_bytes());
    hash.update(salt.to_be_bytes());
    let mut text = String::new();
    for byte in hash.finalize().iter().take(MARK / 2) {
        // Writing into a string cannot fail.
        write!(text, "{byte:02x}").unwrap_or(());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(server: &str, tool: &str) -> String {
        public_name(&ServerName::new(server), tool, 0).to_string()
    }

    #[test]
    fn a_name_that_fits_is_left_as_it_is() {
        assert_eq!(name("files", "read_file"), "files__read_file");
        assert_eq!(name("a-1", "_x"), "a-1___x");
    }

    #[test]
    fn altered_names_keep_what_can_be_read_and_get_a_mark() {
        assert_eq!(name("s1", "cal.list"), "s1__cal_list_7a57d003");
        assert_eq!(name("s1", "é").len(), "s1___".len() + 9);
        let long = name(&"s.".repeat(25), &"t".repeat(70));
        assert_eq!(long.len(), LONGEST);
        assert!(long.contains("__tttttttt"));
        assert!(name(&"s".repeat(50), "echo_it_once_more").contains("__echo_it_once_more_"));
    }

    #[test]
    fn pairs_that_would_read_the_same_are_kept_apart() {
        let twins = [("a", "_b"), ("a_", "b"), ("a__b", "c"), ("a", "b__c")];
        let mut names: Vec<_> = twins.iter().map(|(s, t)| name(s, t)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), twins.len());
    }
}
