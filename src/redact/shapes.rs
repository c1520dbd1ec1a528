//! What secrets look like by themselves: vendors' prefixes, tokens, credentials in addresses.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::redact::mark::{FingerprintKey, Kind, is_mark, mark};
use crate::redact::part;

/// Prefixes that say who issued a token and nothing else; longer ones first.
const PUBLIC_PREFIXES: &[&str] = &[
    "sk-ant",
    "sk-proj",
    "sk-svcacct",
    "sk-admin",
    "sk-or",
    "sk-lf",
    "sk_live",
    "sk_test",
    "rk_live",
    "rk_test",
    "sk",
    "github_pat",
    "ghp",
    "gho",
    "ghu",
    "ghs",
    "ghr",
    "glpat",
    "gldt",
    "glrt",
    "glcbt",
    "glptt",
    "glsoat",
    "glagent",
    "xoxa",
    "xoxb",
    "xoxc",
    "xoxd",
    "xoxe",
    "xoxo",
    "xoxp",
    "xoxr",
    "xoxs",
    "xapp",
    "AKIA",
    "ASIA",
    "ABIA",
    "ACCA",
    "AIza",
    "ya29",
    "GOCSPX",
    "npm",
    "pypi",
    "hf",
    "SG",
    "whsec",
    "dop_v1",
    "doo_v1",
    "dor_v1",
    "shpat",
    "shpca",
    "shppa",
    "shpss",
    "sq0atp",
    "sq0csp",
    "lin_api",
    "ntn",
    "figd",
    "dapi",
    "sntrys",
    "sntryu",
    "hvs",
    "hvb",
    "hvr",
    "xai",
    "gsk",
    "r8",
    "nvapi",
    "pplx",
    "tvly",
    "AGE-SECRET-KEY-1",
    "ATATT3",
    "ATCTT3",
    "PMAK",
    "rubygems",
    "dckr_pat",
    "CCIPAT",
    "pul",
    "phx",
    "sbp",
    "sb_secret",
    "eyJ",
];

/// One alternative for each vendor. Each is linear and needs no look-around.
const VENDORS: &[&str] = &[
    r"sk-(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_-]{6,}",
    r"sk-[A-Za-z0-9_-]{16,}",
    r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{8,}",
    r"whsec_[A-Za-z0-9+/=_-]{16,}",
    r"gh[pousr]_[A-Za-z0-9]{16,}",
    r"github_pat_[A-Za-z0-9_]{16,}",
    r"gl(?:pat|dt|rt|cbt|ptt|soat|agent)-[A-Za-z0-9_.-]{16,}",
    r"xox[abcdeoprs]-[A-Za-z0-9-]{8,}",
    r"xapp-[0-9]-[A-Za-z0-9-]{8,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9a-z]{16}\b",
    r"AIza[A-Za-z0-9_-]{30,}",
    r"ya29\.[A-Za-z0-9_.-]{12,}",
    r"GOCSPX-[A-Za-z0-9_-]{16,}",
    r"npm_[A-Za-z0-9]{24,}",
    r"pypi-[A-Za-z0-9_-]{24,}",
    r"hf_[A-Za-z0-9]{20,}",
    r"SG\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}",
    r"do[por]_v1_[A-Za-z0-9]{24,}",
    r"shp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,}",
    r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,}",
    r"lin_api_[A-Za-z0-9]{20,}",
    r"ntn_[A-Za-z0-9]{20,}",
    r"figd_[A-Za-z0-9_-]{20,}",
    r"dapi[a-f0-9]{32}",
    r"sntry[su]_[A-Za-z0-9+/=_-]{20,}",
    r"hv[sbr]\.[A-Za-z0-9_-]{20,}",
    r"xai-[A-Za-z0-9]{20,}",
    r"gsk_[A-Za-z0-9]{20,}",
    r"r8_[A-Za-z0-9]{20,}",
    r"nvapi-[A-Za-z0-9_-]{20,}",
    r"pplx-[A-Za-z0-9]{20,}",
    r"tvly-[A-Za-z0-9-]{20,}",
    r"AGE-SECRET-KEY-1[A-Za-z0-9]{20,}",
    r"AT[AC]TT3[A-Za-z0-9_=-]{20,}",
    r"PMAK-[A-Za-z0-9-]{20,}",
    r"rubygems_[A-Za-z0-9]{20,}",
    r"dckr_pat_[A-Za-z0-9_-]{16,}",
    r"CCIPAT_[A-Za-z0-9_]{20,}",
    r"pul-[a-f0-9]{40}",
    r"phx_[A-Za-z0-9]{20,}",
    r"sbp_[a-f0-9]{40}",
    r"sb_secret_[A-Za-z0-9_-]{16,}",
    // JSON Web Token, signed or not, or encrypted.
    r"eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,3}",
    // Mailgun, Twilio, Telegram, Discord: no prefix of their own worth showing.
    r"key-[a-f0-9]{32}\b",
    r"SK[a-f0-9]{32}\b",
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}",
    r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
];

static TOKEN: LazyLock<Regex> =
    LazyLock::new(|| built_in(&format!("(^|[^A-Za-z0-9])({})", VENDORS.join("|"))));

/// Webhooks whose path is the credential: the host stays, the path goes.
static WEBHOOK: LazyLock<Regex> = LazyLock::new(|| {
    built_in(
        r"(hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/|outlook\.office\.com/webhook/)([A-Za-z0-9_/@.-]{12,})",
    )
});

/// `scheme://rest`, up to what can't be in an address.
static ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| built_in(r#"([A-Za-z][A-Za-z0-9+.-]*:(?:\\?/){2})([^\s"'<>`]+)"#));

/// Compiles a pattern of our own.
#[expect(
    clippy::expect_used,
    reason = "the pattern is a constant; a redactor that quietly lacks it would be worse"
)]
pub(crate) fn built_in(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a built-in pattern compiles")
}

/// Returns the public vendor prefix that `secret` begins with, or nothing.
pub(crate) fn public_prefix(secret: &str) -> &'static str {
    let is_prefix = |prefix: &&&'static str| {
        secret
            .strip_prefix(**prefix)
            .is_some_and(|rest| prefix_ends(prefix, rest))
    };
    PUBLIC_PREFIXES
        .iter()
        .find(is_prefix)
        .copied()
        .unwrap_or_default()
}

fn prefix_ends(prefix: &str, rest: &str) -> bool {
    // These run straight into the secret; all others end with a separator.
    const OPEN: &[&str] = &[
        "AKIA",
        "ASIA",
        "ABIA",
        "ACCA",
        "AIza",
        "dapi",
        "AGE-SECRET-KEY-1",
        "ATATT3",
        "ATCTT3",
        "eyJ",
    ];
    rest.is_empty() || OPEN.contains(&prefix) || rest.starts_with(['-', '_', '.'])
}

/// Masks every secret in `word` that can be told by its shape.
pub(crate) fn mask_shapes<'a>(key: &FingerprintKey, word: &'a str) -> Cow<'a, str> {
    let masked = mask_tokens(key, word);
    let masked = chain(masked, |text| mask_webhooks(key, text));
    chain(masked, |text| mask_addresses(key, text))
}

/// Tells whether text has the shape of a token by itself.
pub(crate) fn is_token(text: &str) -> bool {
    TOKEN.captures(text).is_some_and(|found| {
        found
            .get(2)
            .is_some_and(|token| token.start() == 0 && token.end() == text.len())
    })
}

fn chain(text: Cow<'_, str>, step: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    match step(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(changed) => Cow::Owned(changed),
    }
}

fn mask_tokens<'a>(key: &FingerprintKey, word: &'a str) -> Cow<'a, str> {
    TOKEN.replace_all(word, |found: &Captures<'_>| {
        let before = found.get(1).map_or("", |group| group.as_str());
        let token = found.get(2).map_or("", |group| group.as_str());
        // `sk-` begins many a name of a style class; a key holds a digit.
        if token.bytes().any(|byte| byte.is_ascii_digit()) || !token.starts_with("sk-") {
            format!("{before}{}", mark(key, Kind::Token, token))
        } else {
            format!("{before}{token}")
        }
    })
}

fn mask_webhooks<'a>(key: &FingerprintKey, word: &'a str) -> Cow<'a, str> {
    WEBHOOK.replace_all(word, |found: &Captures<'_>| {
        let host = found.get(1).map_or("", |group| group.as_str());
        let path = found.get(2).map_or("", |group| group.as_str());
        format!("{host}{}", mark(key, Kind::Token, path))
    })
}

fn mask_addresses<'a>(key: &FingerprintKey, word: &'a str) -> Cow<'a, str> {
    if !word.contains('@') {
        return Cow::Borrowed(word);
    }
    ADDRESS.replace_all(word, |found: &Captures<'_>| {
        let scheme = found.get(1).map_or("", |group| group.as_str());
        let rest = found.get(2).map_or("", |group| group.as_str());
        match mask_user_info(key, rest) {
            Some(masked) => format!("{scheme}{masked}"),
            None => format!("{scheme}{rest}"),
        }
    })
}

/// Masks the credentials of `user:password@host…`; the password ends at the last `@` before the
/// host, whatever else it holds.
fn mask_user_info(key: &FingerprintKey, rest: &str) -> Option<String> {
    let authority_end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let authority = part(rest, 0, authority_end);
    let at = match authority.rfind('@') {
        Some(at) => at,
        None => at_behind_slash(authority, rest)?,
    };
    let (info, host) = rest.split_at_checked(at)?;
    if is_mark(info) {
        return None;
    }
    let masked = match info.split_once(':') {
        Some((user, password)) => mask_pair(key, user, password),
        None if looks_random(info) => mark(key, Kind::Token, info),
        None => return None,
    };
    Some(format!("{masked}{host}"))
}

/// Finds the `@` after a password that holds a raw `/`, `?` or `#`: a port would be digits.
fn at_behind_slash(authority: &str, rest: &str) -> Option<usize> {
    let (_, after_colon) = authority.split_once(':')?;
    let is_port = after_colon.bytes().all(|byte| byte.is_ascii_digit());
    if is_port { None } else { rest.rfind('@') }
}

fn mask_pair(key: &FingerprintKey, user: &str, password: &str) -> String {
    let user_is_secret = matches!(password, "" | "x-oauth-basic" | "x-token-auth");
    if user_is_secret && !user.is_empty() && !is_mark(user) {
        format!("{}:{password}", mark(key, Kind::Token, user))
    } else if password.is_empty() || is_mark(password) || is_placeholder(password) {
        format!("{user}:{password}")
    } else {
        format!("{user}:{}", mark(key, Kind::Password, password))
    }
}

fn looks_random(text: &str) -> bool {
    text.len() >= 20
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Tells whether text stands for a secret that is filled in elsewhere.
pub(crate) fn is_placeholder(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "null",
        "none",
        "nil",
        "undefined",
        "true",
        "false",
        "yes",
        "no",
        "string",
        "str",
        "text",
        "required",
        "optional",
        "number",
        "integer",
        "int",
        "bool",
        "boolean",
        "any",
        "object",
        "password",
        "token",
        "secret",
        "oauth",
        "oauth2",
        "jwt",
        "bearer",
        "basic",
        "digest",
        "sha256",
        "base64",
        "hs256",
        "rs256",
        "redacted",
        "hidden",
    ];
    let bare = text.trim_matches(['*', '.', '•', '…', 'x', 'X', '-', '_']);
    let lower = text.to_ascii_lowercase();
    bare.is_empty()
        || WORDS.contains(&lower.as_str())
        || (text.starts_with('$') && is_variable(text))
        || (text.starts_with('<') && text.ends_with('>'))
        || (text.starts_with("{{") && text.ends_with("}}"))
        || (text.starts_with('%') && text.ends_with('%'))
        || text == "%s"
        || text == "{}"
}

fn is_variable(text: &str) -> bool {
    let name = text.trim_start_matches('$').trim_start_matches(['{', '(']);
    let name = name.trim_end_matches(['}', ')']);
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '_' | '.'))
        || [
            "secrets.",
            "env.",
            "env:",
            "process.env",
            "vars.",
            "inputs.",
        ]
        .iter()
        .any(|start| name.trim_start_matches(['{', ' ']).starts_with(start))
}
