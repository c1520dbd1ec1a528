//! The `.env` file of the working folder: a few variables, never over one already set.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::io::http::BaseUrl;

/// The variables of the environment, or a copy with changes.
pub type Environment = BTreeMap<String, String>;

/// A file longer than this is not read, in bytes.
const LONGEST: u64 = 256 * 1024;

/// A service's variables: its address, its keys, and the rest.
struct Group {
    address: &'static str,
    keys: &'static [&'static str],
    others: &'static [&'static str],
}

const GROUPS: &[Group] = &[
    Group {
        address: "ANTHROPIC_BASE_URL",
        keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
        others: &["ANTHROPIC_MODEL", "ANTHROPIC_CUSTOM_HEADERS"],
    },
    Group {
        address: "OPENAI_BASE_URL",
        keys: &["OPENAI_API_KEY"],
        others: &[],
    },
    Group {
        address: "GEMINI_BASE_URL",
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        others: &[],
    },
    Group {
        address: "MISTRAL_BASE_URL",
        keys: &["MISTRAL_API_KEY"],
        others: &[],
    },
    Group {
        address: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
        keys: &[
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_BEARER_TOKEN_BEDROCK",
        ],
        others: &[
            "AWS_SESSION_TOKEN",
            "AWS_REGION",
            "AWS_DEFAULT_REGION",
            "AWS_PROFILE",
        ],
    },
];

/// Reads the real environment. Variables that are not text are left out.
pub fn real_environment() -> Environment {
    let pairs = std::env::vars_os();
    pairs
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Adds what the `.env` file of `folder` sets, and returns what to tell the person.
///
/// An address from the file is taken only together with a key from the file, or when it is on this
/// machine: a folder from somewhere else must not carry the person's own key to another host.
pub fn add_dotenv(folder: &Path, environment: &mut Environment) -> Vec<String> {
    let Some(text) = read(&folder.join(".env")) else {
        return Vec::new();
    };
    let (found, mut notices) = parse(&text);
    for group in GROUPS {
        notices.extend(add_group(group, &found, environment));
    }
    notices
}

fn read(path: &Path) -> Option<String> {
    // A pipe would be waited for without end.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(LONGEST)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn parse(text: &str) -> (Environment, Vec<String>) {
    let mut found = Environment::new();
    let mut notices = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for item in dotenvy::from_read_iter(text.as_bytes()) {
        match item {
            Ok((name, value)) => drop(found.entry(name).or_insert(value)),
            // The error would repeat the line, and the line may hold a key.
            Err(_) if notices.is_empty() => {
                notices.push(
                    "The file `.env` has lines that can't be read; they were left out.".into(),
                );
            }
            Err(_) => {}
        }
    }
    (found, notices)
}

fn add_group(group: &Group, found: &Environment, environment: &mut Environment) -> Option<String> {
    let has_own_key = group.keys.iter().any(|key| is_set(environment, key));
    let brings_key = !has_own_key && group.keys.iter().any(|key| is_set(found, key));
    for name in group.keys.iter().chain(group.others) {
        add(name, found, environment);
    }
    let address = found
        .get(group.address)
        .filter(|text| !text.trim().is_empty())?;
    if is_set(environment, group.address) {
        return None;
    }
    let is_here = BaseUrl::parse(address).is_ok_and(|base| base.is_loopback());
    if brings_key || is_here {
        add(group.address, found, environment);
        return Some(format!(
            "`{}` comes from the file `.env` of this folder.",
            group.address
        ));
    }
    Some(format!(
        "`{0}` of the file `.env` is not used: your key was not given for that address. Set `{0}` \
         in the environment if you trust it.",
        group.address
    ))
}

fn add(name: &str, found: &Environment, environment: &mut Environment) {
    if let Some(value) = found.get(name)
        && !is_set(environment, name)
    {
        environment.insert(name.to_owned(), value.clone());
    }
}

/// Tells whether a variable says something; an empty one counts as not set.
pub(super) fn is_set(environment: &Environment, name: &str) -> bool {
    environment
        .get(name)
        .is_some_and(|value| !value.trim().is_empty())
}
