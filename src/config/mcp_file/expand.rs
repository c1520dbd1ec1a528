//! `${NAME}` and `${NAME:-default}`, replaced by values of the environment.

use crate::config::mcp_file::Lookup;

/// A variable that is not set and has no default.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the variable `{name}` is not set")]
pub struct Unset {
    /// Its name.
    pub name: String,
}

/// Replaces every variable in `text`. A default stands in for a variable that is unset or empty.
/// What only looks like a variable (`$HOME`, `${1}`, `${a`) stays as it is, and so does `~`.
pub fn expand(text: &str, variable: Lookup<'_>) -> Result<String, Unset> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((name, default, tail)) = reference(after) else {
            out.push_str("${");
            rest = after;
            continue;
        };
        out.push_str(&value_of(name, default, variable)?);
        rest = tail;
    }
    out.push_str(rest);
    Ok(out)
}

/// Splits `NAME:-default}tail`.
fn reference(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let (inside, tail) = text.split_once('}')?;
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    let mut characters = name.chars();
    let begins = characters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let goes_on = characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    (begins && goes_on).then_some((name, default, tail))
}

fn value_of(name: &str, default: Option<&str>, variable: Lookup<'_>) -> Result<String, Unset> {
    match (variable(name), default) {
        (Some(value), Some(default)) if value.is_empty() => Ok(default.to_owned()),
        (Some(value), _) => Ok(value),
        (None, Some(default)) => Ok(default.to_owned()),
        (None, None) => Err(Unset {
            name: name.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<String, Unset> {
        expand(text, &|name| match name {
            "HOME" => Some("/home/ann".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        })
    }

    #[test]
    fn variables_and_defaults_are_filled_in() {
        assert_eq!(check("${HOME}/x${HOME}").unwrap(), "/home/ann/x/home/ann");
        assert_eq!(check("${NO:-a b}${NO:-}").unwrap(), "a b");
        assert_eq!(check("${EMPTY}|${EMPTY:-d}").unwrap(), "|d");
    }

    #[test]
    fn a_variable_without_value_and_default_is_named() {
        assert_eq!(check("a${NO}").unwrap_err().name, "NO");
    }

    #[test]
    fn what_only_looks_like_a_variable_stays() {
        for text in ["$HOME", "~", "${1}", "${", "${a", "${}", "100 %", "${a b}"] {
            assert_eq!(check(text).unwrap(), text);
        }
    }
}
