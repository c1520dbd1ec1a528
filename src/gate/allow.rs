//! Which tools may run when there is nobody to ask: the patterns of `--allow-tool`.

use crate::chat::id::ServerName;

/// The patterns that a person wrote on the command line, for `-p` only.
///
/// A pattern is `server__tool` or `server__*`. It is compared with the server's configured name and
/// the tool's own name, never with a name put together from both: a server called `a__b` can't pass
/// for a tool `b` of the server `a`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowList(Vec<Rule>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    text: String,
    server: String,
    /// `None` stands for every tool of the server.
    tool: Option<String>,
}

/// A pattern that names nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not of the form server__tool or server__*")]
pub struct BadPattern(pub String);

impl AllowList {
    /// Reads the patterns.
    pub fn parse<S: AsRef<str>>(patterns: &[S]) -> Result<Self, BadPattern> {
        patterns
            .iter()
            .map(|pattern| parse_rule(pattern.as_ref()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns the pattern that lets a tool run.
    pub fn rule_for(&self, server: &ServerName, tool: &str) -> Option<&str> {
        let fits = |rule: &&Rule| {
            rule.server == server.as_str() && rule.tool.as_deref().is_none_or(|name| name == tool)
        };
        self.0.iter().find(fits).map(|rule| rule.text.as_str())
    }
}

/// Splits at the first `__`; a server whose own name holds one can't be named, which is the safe side.
fn parse_rule(text: &str) -> Result<Rule, BadPattern> {
    let bad = || BadPattern(text.to_owned());
    let (server, tool) = text.split_once("__").ok_or_else(bad)?;
    if server.is_empty() || tool.is_empty() || server.contains('*') {
        return Err(bad());
    }
    let tool = match tool {
        "*" => None,
        name if name.contains('*') => return Err(bad()),
        name => Some(name.to_owned()),
    };
    Ok(Rule {
        text: text.to_owned(),
        server: server.to_owned(),
        tool,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(patterns: &[&str], server: &str, tool: &str) -> bool {
        AllowList::parse(patterns)
            .unwrap()
            .rule_for(&server.into(), tool)
            .is_some()
    }

    #[test]
    fn a_pattern_never_matches_more_than_its_text_says() {
        let patterns = ["s1__echo"];
        assert!(allows(&patterns, "s1", "echo"));
        assert!(!allows(&patterns, "s1", "wipe"));
        assert!(!allows(&patterns, "s2", "echo"));
        assert!(!allows(&patterns, "s1__echo", "x"));
        assert!(!allows(&patterns, "s1", "echo2"));
    }

    #[test]
    fn a_star_stands_for_every_tool_of_one_server() {
        assert!(allows(&["s1__*"], "s1", "wipe"));
        assert!(!allows(&["s1__*"], "s10", "wipe"));
        assert!(!allows(&["s1__*"], "s1__echo", "x"));
    }

    #[test]
    fn a_star_anywhere_else_is_refused() {
        for pattern in ["*", "*__*", "s*__x", "s1__e*", "s1", "__x", "s1__"] {
            assert_eq!(
                AllowList::parse(&[pattern]),
                Err(BadPattern(pattern.to_owned()))
            );
        }
    }
}
