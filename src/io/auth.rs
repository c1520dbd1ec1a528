//! Where requests go and with which credential.

mod key_command;
mod secret;
#[cfg(test)]
mod tests;

pub use crate::io::auth::key_command::KeyCommandError;
pub use crate::io::auth::secret::Secret;

use crate::chat::failure::FailureKind;
use crate::config::ProviderEntry;
use crate::io::auth::key_command::run_key_command;
use crate::io::dotenv::Environment;
use crate::io::http::{AddressError, BaseUrl};
use crate::provider::anthropic::Version;

const ANTHROPIC: &str = "https://api.anthropic.com";
const ANTHROPIC_HOST: &str = "api.anthropic.com";

const BETA_HEADER: &str = "anthropic-beta";
const OAUTH_BETA: &str = "oauth-2025-04-20";

/// Where requests go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The address that the dialect's path is put below.
    pub base_url: BaseUrl,
    /// The version of the Messages API that is spoken there.
    pub version: Version,
    /// What lets us in.
    pub credential: Credential,
    /// The person's own headers, which win over all others.
    pub custom_headers: Vec<(String, Secret)>,
}

/// What lets us in. Never two of them at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// Nothing: a server on this machine or in a private network.
    None,
    /// A key in a header of its own.
    Header {
        /// The header (`x-api-key`).
        name: &'static str,
        /// The key.
        secret: Secret,
    },
    /// `authorization: Bearer`.
    Bearer(Secret),
}

/// An endpoint and what to tell the person about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundEndpoint {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The model that the environment names (`ANTHROPIC_MODEL`).
    pub model: Option<String>,
    /// Full sentences, without any secret.
    pub notices: Vec<String>,
}

/// Why there is no endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// Nothing lets us in.
    #[error(
        "no key is set for {host}; set ANTHROPIC_API_KEY, or `api_key_command` in the configuration"
    )]
    NoKey {
        /// Where it would be needed.
        host: String,
    },
    /// The base URL can't be used.
    #[error("the base URL in {place} can't be used: {reason}")]
    BadAddress {
        /// The variable or field that holds it.
        place: String,
        /// What is wrong with it.
        reason: AddressError,
    },
    /// A line of the custom headers is not a header.
    #[error("line {line} of ANTHROPIC_CUSTOM_HEADERS is not `Name: Value`")]
    BadHeader {
        /// Which line, from 1.
        line: usize,
    },
    /// A key holds characters that no key has.
    #[error("the key in {place} holds characters that can't be sent; copy it again")]
    OddKey {
        /// Where the key is.
        place: String,
    },
    /// The command that prints the key didn't.
    #[error(transparent)]
    Command(#[from] KeyCommandError),
}

impl AuthError {
    /// Returns the kind of failure that this is to a person.
    pub const fn kind(&self) -> FailureKind {
        match self {
            Self::NoKey { .. } => FailureKind::NoCredentials,
            Self::BadAddress { .. }
            | Self::BadHeader { .. }
            | Self::OddKey { .. }
            | Self::Command(_) => FailureKind::BadConfiguration,
        }
    }
}

/// Finds where requests for Claude go. The environment wins over the configuration's `entry`,
/// except for an entry with a name of its own, which says all about itself.
///
/// Runs the entry's `api_key_command` if no variable holds a key, so this may take a while.
pub async fn find_endpoint(
    environment: &Environment,
    entry: Option<&ProviderEntry>,
) -> Result<FoundEndpoint, AuthError> {
    let own_name = entry.is_some_and(|entry| entry.name != "anthropic");
    let empty = Environment::new();
    let search = Search {
        environment: if own_name { &empty } else { environment },
        keys: environment,
        entry,
    };
    let base_url = search.base_url()?;
    let mut custom_headers = search.custom_headers()?;
    let mut notices = Vec::new();
    let credential = search.credential(&mut notices).await?;
    add_oauth_beta(&credential, &mut custom_headers);
    let has_own_header = custom_headers
        .iter()
        .any(|(name, _)| ["x-api-key", "authorization"].contains(&name.as_str()));
    if credential == Credential::None && !base_url.is_private() && !has_own_header {
        let host = base_url.host().to_owned();
        return Err(AuthError::NoKey { host });
    }
    if base_url.is_plain() && !base_url.is_private() {
        notices.push(format!(
            "{base_url} is not encrypted: your key and your words can be read on the way."
        ));
    }
    let version = version_of(&base_url);
    Ok(FoundEndpoint {
        endpoint: Endpoint {
            base_url,
            version,
            credential,
            custom_headers,
        },
        model: search.variable("ANTHROPIC_MODEL").map(str::to_owned),
        notices,
    })
}

/// Only Anthropic's own host is known to speak the current version.
fn version_of(base_url: &BaseUrl) -> Version {
    if base_url.host() == ANTHROPIC_HOST {
        Version::Current
    } else {
        Version::Classic
    }
}

struct Search<'a> {
    /// The variables of the service; none for an entry with a name of its own.
    environment: &'a Environment,
    /// All variables, for `api_key_env`.
    keys: &'a Environment,
    entry: Option<&'a ProviderEntry>,
}

impl<'a> Search<'a> {
    fn variable(&self, name: &str) -> Option<&'a str> {
        trimmed(self.environment, name)
    }

    fn base_url(&self) -> Result<BaseUrl, AuthError> {
        let configured = self.entry.and_then(|entry| entry.base_url.as_deref());
        let (text, place) = match (self.variable("ANTHROPIC_BASE_URL"), configured) {
            (Some(text), _) => (text, "ANTHROPIC_BASE_URL"),
            (None, Some(text)) => (text, "the configuration (`base_url`)"),
            (None, None) => (ANTHROPIC, "the program"),
        };
        BaseUrl::parse(text).map_err(|reason| AuthError::BadAddress {
            place: place.to_owned(),
            reason,
        })
    }

    async fn credential(&self, notices: &mut Vec<String>) -> Result<Credential, AuthError> {
        let key = self.variable("ANTHROPIC_API_KEY");
        let token = self.variable("ANTHROPIC_AUTH_TOKEN");
        if key.is_some() && token.is_some() {
            notices.push(
                "ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN are both set; the API key is used."
                    .into(),
            );
        }
        match (key, token) {
            (Some(key), _) => Ok(api_key(secret(key, "ANTHROPIC_API_KEY")?)),
            (None, Some(token)) => Ok(Credential::Bearer(secret(token, "ANTHROPIC_AUTH_TOKEN")?)),
            (None, None) => self.configured_key().await,
        }
    }

    async fn configured_key(&self) -> Result<Credential, AuthError> {
        let Some(entry) = self.entry else {
            return Ok(Credential::None);
        };
        if let Some(name) = &entry.api_key_env
            && let Some(key) = trimmed(self.keys, name)
        {
            return Ok(api_key(secret(key, name)?));
        }
        if entry.api_key_command.is_empty() {
            return Ok(Credential::None);
        }
        let printed = run_key_command(&entry.api_key_command).await?;
        Ok(api_key(secret(
            &printed,
            "the output of `api_key_command`",
        )?))
    }

    fn custom_headers(&self) -> Result<Vec<(String, Secret)>, AuthError> {
        let text = self
            .variable("ANTHROPIC_CUSTOM_HEADERS")
            .unwrap_or_default();
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(at, line)| header(line).ok_or(AuthError::BadHeader { line: at + 1 }))
            .collect()
    }
}

fn api_key(secret: Secret) -> Credential {
    Credential::Header {
        name: "x-api-key",
        secret,
    }
}

/// A token of an account, unlike one of a gateway, is taken only together with this beta.
fn add_oauth_beta(credential: &Credential, headers: &mut Vec<(String, Secret)>) {
    let is_account_token = match credential {
        Credential::Bearer(secret) => secret.expose().starts_with("sk-ant-oat"),
        Credential::None | Credential::Header { .. } => false,
    };
    if is_account_token && !headers.iter().any(|(name, _)| name == BETA_HEADER) {
        headers.push((BETA_HEADER.to_owned(), Secret::new(OAUTH_BETA)));
    }
}

/// Reads `Name: Value`; the name in lower case, so that it takes the place of a built-in one.
fn header(line: &str) -> Option<(String, Secret)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim().to_ascii_lowercase();
    (!name.is_empty()).then(|| (name, Secret::new(value.trim())))
}

fn trimmed<'a>(environment: &'a Environment, name: &str) -> Option<&'a str> {
    environment
        .get(name)
        .map(|value| value.trim())
        .filter(|value| !value.is_empty())
}

fn secret(text: &str, place: &str) -> Result<Secret, AuthError> {
    if text.chars().all(|c| c.is_ascii_graphic()) {
        Ok(Secret::new(text))
    } else {
        Err(AuthError::OddKey {
            place: place.to_owned(),
        })
    }
}
