//! Names whose values are secret, in any spelling.

use crate::redact::mark::Kind;

/// The built-in names and the user's own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    own: Vec<String>,
}

/// A name in one of these words, or ending with one of them, is secret.
const SECRET: &[(&str, Kind)] = &[
    ("password", Kind::Password),
    ("passwords", Kind::Password),
    ("passwd", Kind::Password),
    ("passphrase", Kind::Password),
    ("passcode", Kind::Password),
    ("pwd", Kind::Password),
    ("secret", Kind::Secret),
    ("secrets", Kind::Secret),
    ("credential", Kind::Secret),
    ("credentials", Kind::Secret),
    ("creds", Kind::Secret),
    ("authorization", Kind::Auth),
    ("cookie", Kind::Cookie),
    ("cookies", Kind::Cookie),
    ("jwt", Kind::Token),
    ("otp", Kind::Token),
    ("bearer", Kind::Token),
    ("apikey", Kind::Key),
    ("apikeys", Kind::Key),
    ("accesskey", Kind::Key),
    ("secretkey", Kind::Key),
    ("privatekey", Kind::PrivateKey),
    ("sessionid", Kind::Token),
    ("sessid", Kind::Token),
    ("phpsessid", Kind::Token),
    ("jsessionid", Kind::Token),
    ("psk", Kind::Key),
];

/// Long enough to be told at the end of a word that is written in one: `pgpassword`.
const AT_END: &[(&str, Kind)] = &[
    ("password", Kind::Password),
    ("passwd", Kind::Password),
    ("passphrase", Kind::Password),
    ("secret", Kind::Secret),
    ("apikey", Kind::Key),
    ("accesskey", Kind::Key),
    ("secretkey", Kind::Key),
    ("privatekey", Kind::PrivateKey),
    ("accesstoken", Kind::Token),
    ("refreshtoken", Kind::Token),
    ("authtoken", Kind::Token),
    ("apitoken", Kind::Token),
    ("idtoken", Kind::Token),
    ("sessiontoken", Kind::Token),
    ("usertoken", Kind::Token),
    ("bottoken", Kind::Token),
    ("csrftoken", Kind::Token),
    ("xsrftoken", Kind::Token),
    ("bearertoken", Kind::Token),
    ("securitytoken", Kind::Token),
    ("deploytoken", Kind::Token),
];

/// What makes a key a secret one when it stands before `key`.
const BEFORE_KEY: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "encryption",
    "signing",
    "account",
    "master",
    "storage",
    "service",
    "shared",
    "subscription",
    "functions",
    "session",
    "auth",
    "ssh",
    "app",
    "deploy",
    "license",
    "client",
    "admin",
    "aes",
    "hmac",
    "openai",
    "anthropic",
    "gemini",
    "google",
    "mistral",
    "server",
    "host",
];

/// Words that turn the name of a secret into the name of something about it.
const ABOUT: &[&str] = &[
    "max",
    "min",
    "num",
    "count",
    "counts",
    "total",
    "limit",
    "limits",
    "usage",
    "type",
    "types",
    "budget",
    "per",
    "page",
    "next",
    "previous",
    "prev",
    "progress",
    "continuation",
    "cursor",
    "expires",
    "expiry",
    "expiration",
    "expired",
    "ttl",
    "length",
    "size",
    "name",
    "names",
    "field",
    "fields",
    "url",
    "uri",
    "endpoint",
    "arn",
    "has",
    "is",
    "requires",
    "require",
    "required",
    "enabled",
    "disabled",
    "policy",
    "policies",
    "changed",
    "updated",
    "created",
    "at",
    "date",
    "label",
    "hint",
    "consent",
    "method",
    "methods",
    "mode",
    "version",
    "file",
    "path",
    "env",
    "command",
    "cmd",
    "input",
    "output",
    "cached",
    "prompt",
    "completion",
    "remaining",
    "rate",
    "format",
    "placeholder",
    "description",
    "title",
    "manager",
    "store",
    "provider",
    "scopes",
    "scope",
    "public",
    "status",
    "valid",
    "invalid",
    "error",
    "reset",
    "strength",
    "rules",
];

impl Names {
    pub(crate) fn new(own: &[String]) -> Self {
        let own = own.iter().map(|name| words(name).concat()).collect();
        Self { own }
    }

    /// Says which kind of secret the value of this name is, if it is one.
    pub(crate) fn kind(&self, name: &str) -> Option<Kind> {
        if name.len() > 128 || name.is_empty() {
            return None;
        }
        let words = words(name);
        if !self.own.is_empty() && self.own.contains(&words.concat()) {
            return Some(Kind::Custom);
        }
        if words.iter().any(|word| ABOUT.contains(&word.as_str())) {
            return None;
        }
        kind_of_words(&words)
    }

    /// The same for a parameter of an address, where short names are common.
    pub(crate) fn parameter_kind(&self, name: &str, value: &str) -> Option<Kind> {
        let lower = name.to_ascii_lowercase();
        match lower.as_str() {
            "sig" | "signature" | "x-amz-signature" | "x-amz-credential" | "x-goog-signature"
            | "x-goog-credential" | "pass" | "pw" | "auth" | "sas" => Some(Kind::Secret),
            "key" | "code" | "state" | "ticket" if is_random(value) => Some(Kind::Key),
            _ => self.kind(name),
        }
    }
}

fn is_random(value: &str) -> bool {
    value.len() >= 16
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn kind_of_words(words: &[String]) -> Option<Kind> {
    let joined = words.concat();
    if joined == "auth"
        || joined == "sid"
        || joined == "connectsid"
        || joined == "pass"
        || joined == "pw"
    {
        return Some(Kind::Secret);
    }
    if words.iter().any(|word| word == "private") && words.iter().any(|word| word == "key") {
        return Some(Kind::PrivateKey);
    }
    words
        .iter()
        .find_map(|word| kind_of_word(word))
        .or_else(|| kind_of_pairs(words))
        .or_else(|| kind_of_last(words))
        .or_else(|| ending(&joined))
}

fn kind_of_word(word: &str) -> Option<Kind> {
    let exact = SECRET.iter().find(|(secret, _)| *secret == word);
    exact.map(|(_, kind)| *kind).or_else(|| ending(word))
}

fn ending(word: &str) -> Option<Kind> {
    AT_END
        .iter()
        .find(|(end, _)| word.ends_with(end))
        .map(|(_, kind)| *kind)
}

fn kind_of_pairs(words: &[String]) -> Option<Kind> {
    words.windows(2).find_map(|pair| match pair {
        [first, second] if second == "key" || second == "keys" => {
            BEFORE_KEY.contains(&first.as_str()).then_some(Kind::Key)
        }
        [first, second] if first == "session" && (second == "id" || second == "token") => {
            Some(Kind::Token)
        }
        _ => None,
    })
}

fn kind_of_last(words: &[String]) -> Option<Kind> {
    if words.iter().any(|word| word == "token") {
        return Some(Kind::Token);
    }
    match words {
        [_, .., last] if last == "auth" => Some(Kind::Auth),
        [_, .., last] if last == "pass" || last == "pw" => Some(Kind::Password),
        _ => None,
    }
}

/// Splits a name into lower-case words: at `-`, `_`, blanks and where the case changes. Of a dotted
/// name only the last part counts: `token.example.com` is a host.
fn words(name: &str) -> Vec<String> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut words = vec![String::new()];
    let mut previous = ' ';
    let mut characters = last.chars().peekable();
    while let Some(c) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        let camel = c.is_uppercase()
            && (previous.is_lowercase()
                || previous.is_ascii_digit()
                || (previous.is_uppercase() && next_is_lower));
        if !c.is_alphanumeric() || camel {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words.retain(|word| !word.is_empty());
    words
}
