//! A name and its value in one word: `password=…`, `"apiKey":"…`, `?token=…`, `<secret>…`.

use std::sync::LazyLock;

use regex::Regex;

use crate::redact::mark::{Kind, is_mark, mark_length};
use crate::redact::names::Names;
use crate::redact::part;
use crate::redact::shapes::{built_in, is_placeholder, is_token};

/// How a value is introduced, which decides how sure we must be that it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lead {
    /// `"name":`, as in JSON.
    Quoted,
    /// `name=`, as in a shell.
    Equals,
    /// `?name=`, in an address.
    Parameter,
    /// `<name>`.
    Tag,
    /// `name:`.
    Colon,
    /// A name, a sign and a value with blanks between them: it may be prose or code.
    Loose,
}

/// The name of a secret, found in a word.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) kind: Kind,
    pub(crate) lead: Lead,
    /// Where in the word the value begins.
    pub(crate) value_start: usize,
    /// The quote that stands before the name and closes behind the value: `"Cookie:a=b"`.
    enclosing: Option<char>,
}

static NAME_AND_SIGN: LazyLock<Regex> = LazyLock::new(|| {
    built_in(
        r#"(?:(\\?["'`]|<)|)([A-Za-z_][A-Za-z0-9_.-]*(?:\[[A-Za-z0-9_]*\])*)(\\?["'`]|\*\*|__|>|)(=>|:=|:|=|)"#,
    )
});

/// Finds the first name of a secret in `word` that is followed by its sign.
pub(crate) fn find_assignment(names: &Names, word: &str, at_start: bool) -> Option<Assignment> {
    // Most words hold no sign at all.
    if !word.contains([':', '=', '>']) {
        return None;
    }
    NAME_AND_SIGN.captures_iter(word).find_map(|found| {
        let name = found.get(2)?;
        let whole = found.get(0)?;
        let group = |index| found.get(index).map_or("", |group| group.as_str());
        let (open, close, sign) = (group(1), group(3), group(4));
        let before = part(word, 0, whole.start());
        if before.ends_with('‹')
            && mark_length(part(word, whole.start() - '‹'.len_utf8(), word.len())).is_some()
        {
            return None;
        }
        let after = part(word, whole.end(), word.len());
        let lead = lead_of(open, close, sign, before, after)?;
        let kind = kind_of(names, lead, name.as_str(), before, after)?;
        let quoted_whole = close.is_empty() && !open.is_empty() && open != "<";
        let inner_start = !at_start || name.start() > 0;
        Some(Assignment {
            kind,
            lead,
            value_start: whole.end(),
            enclosing: open.chars().last().filter(|_| quoted_whole && inner_start),
        })
    })
}

fn lead_of(open: &str, close: &str, sign: &str, before: &str, after: &str) -> Option<Lead> {
    let is_parameter = before.ends_with(['?', '&', '#', ';']) && before.contains([':', '/', '?']);
    match sign {
        "" if open == "<" && close == ">" => Some(Lead::Tag),
        "" => None,
        _ if close == ">" => None,
        "=" if after.starts_with('=') => None,
        "=" if is_parameter => Some(Lead::Parameter),
        "=" => Some(Lead::Equals),
        ":" if after.starts_with(':')
            || after.starts_with("//")
            || before.ends_with(['/', ':']) =>
        {
            None
        }
        // `"name":` in JSON; `name"` closes something else.
        ":" | "=>" if close.ends_with(['"', '\'']) && !open.is_empty() => Some(Lead::Quoted),
        _ => Some(Lead::Colon),
    }
}

fn kind_of(names: &Names, lead: Lead, name: &str, before: &str, after: &str) -> Option<Kind> {
    // Text inside a JSON string writes its line feeds as `\n`, right before the name.
    let name = if before.ends_with('\\') && name.starts_with(['n', 'r', 't']) {
        part(name, 1, name.len())
    } else {
        name
    };
    let name = name.trim_start_matches(['-', '_']);
    let kind = match lead {
        Lead::Parameter => {
            let end = after.find(['&', '#', ';']).unwrap_or(after.len());
            names.parameter_kind(name, part(after, 0, end))
        }
        Lead::Quoted | Lead::Equals | Lead::Tag | Lead::Colon | Lead::Loose => names.kind(name),
    };
    // `PWD` and `OLDPWD` hold a folder.
    let is_folder = name.to_ascii_lowercase().ends_with("pwd")
        && after
            .trim_start_matches(['"', '\''])
            .starts_with(['/', '~', '.', '$']);
    kind.filter(|_| !is_folder)
}

impl Assignment {
    /// Returns the length in bytes of a value without quotes of its own.
    pub(crate) fn bare_length(&self, value: &str) -> usize {
        let ends: &[char] = match self.lead {
            Lead::Parameter => &['&', '#', ';', '"', '\'', '`', '<', '>', ')', '\\'],
            Lead::Tag => &['<'],
            Lead::Quoted => &[',', '}', ']'],
            Lead::Equals | Lead::Colon | Lead::Loose => &[],
        };
        if !ends.is_empty() {
            return value.find(ends).unwrap_or(value.len());
        }
        let value = match self.enclosing.and_then(|quote| value.find(quote)) {
            Some(end) => part(value, 0, end),
            None => value,
        };
        let value = part(value, 0, next_assignment(value));
        value
            .trim_end_matches([',', ';', '"', '\'', '`', ')', ']', '}', '>', '\\'])
            .len()
    }
}

/// Where the next `;name=`, `&name=` or `,name=` begins.
fn next_assignment(value: &str) -> usize {
    static NEXT: LazyLock<Regex> =
        LazyLock::new(|| built_in(r"[;&,][A-Za-z_][A-Za-z0-9_.-]*=|\\[nrt]"));
    NEXT.find(value).map_or(value.len(), |found| found.start())
}

/// Says which secret a word names that ends without a sign: `--password`, `"token"`.
pub(crate) fn trailing_name(names: &Names, word: &str) -> Option<Kind> {
    let bare = word.trim_matches(['"', '\'', '`', '*', '-', '|', '{', '(', ',', '[', '\\']);
    let simple = bare
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if simple && !word.ends_with(',') {
        names.kind(bare)
    } else {
        None
    }
}

/// Tells whether a bare word is more likely a secret than prose or code.
///
/// `last`: nothing else stands on the line behind it, as in a list of settings.
pub(crate) fn looks_secret(names: &Names, word: &str, last: bool) -> bool {
    let bare = word
        .trim_start_matches(['"', '\'', '`', '*'])
        .trim_end_matches(['"', '\'', '`', '*', ',', ';', '.', ')']);
    if is_token(bare) {
        return true;
    }
    let is_name = names_a_secret(names, bare);
    if bare.chars().count() < 4 || is_mark(bare) || is_placeholder(bare) || is_name || is_code(bare)
    {
        return false;
    }
    last || has_secret_look(bare) || bare.len() >= 20
}

/// Tells whether a value is itself a name, as in `login(password=userPassword)`.
pub(crate) fn names_a_secret(names: &Names, bare: &str) -> bool {
    bare.bytes()
        .all(|byte| byte.is_ascii_alphabetic() || b"_.-".contains(&byte))
        && names.kind(bare).is_some()
}

fn has_secret_look(bare: &str) -> bool {
    let digit = bare.bytes().any(|byte| byte.is_ascii_digit());
    let case_changes = bare
        .as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let symbol = bare
        .chars()
        .any(|c| c.is_ascii_punctuation() && !"-_.,'’!?:/()*|".contains(c));
    digit || case_changes || symbol
}

/// `Option<String>`, `parser.next_token()`, `self.token`, `&str`.
fn is_code(bare: &str) -> bool {
    static CODE: LazyLock<Regex> = LazyLock::new(|| {
        built_in(
            r"^[&*!]*[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*[(<\[]|^[&*]+[A-Za-z_]|^[A-Za-z_]+(?:(?:::|\.)[A-Za-z_]+)+$|^[\[({|]|^https?://",
        )
    });
    CODE.is_match(bare)
}
