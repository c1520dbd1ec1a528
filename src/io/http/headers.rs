//! The headers of a request: the dialect's own, the credential, and the person's.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::chat::failure::{FailureKind, TurnError};
use crate::io::auth::{Credential, Endpoint};
use crate::provider::http::HttpRequest;

/// Puts the headers of a request together. Later ones take the place of earlier ones of that name,
/// so a person's own headers win.
pub(super) fn headers(request: &HttpRequest, endpoint: &Endpoint) -> Result<HeaderMap, TurnError> {
    let mut map = HeaderMap::new();
    for (name, value) in &request.headers {
        put(&mut map, name, value, Secrecy::Open)?;
    }
    match &endpoint.credential {
        Credential::None => {}
        Credential::Header { name, secret } => {
            put(&mut map, name, secret.expose(), Secrecy::Secret)?;
        }
        Credential::Bearer(secret) => {
            let value = format!("Bearer {}", secret.expose());
            put(&mut map, "authorization", &value, Secrecy::Secret)?;
        }
    }
    for (name, value) in &endpoint.custom_headers {
        put(&mut map, name, value.expose(), Secrecy::Secret)?;
    }
    Ok(map)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secrecy {
    Open,
    Secret,
}

fn put(map: &mut HeaderMap, name: &str, value: &str, secrecy: Secrecy) -> Result<(), TurnError> {
    // The value may be a secret, so only the name is told.
    let unusable = || {
        TurnError::new(
            FailureKind::BadConfiguration,
            format!(
                "The header `{}` can't be sent: its name or value holds characters that a header must not have.",
                name.escape_debug()
            ),
        )
    };
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_odd| unusable())?;
    let mut value = HeaderValue::from_str(value).map_err(|_odd| unusable())?;
    value.set_sensitive(secrecy == Secrecy::Secret);
    map.insert(name, value);
    Ok(())
}
