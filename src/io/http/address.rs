//! Where a service is: its base URL.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use reqwest::Url;

/// The base URL of a service. Dialects give the path below it.
///
/// Its `Debug` and `Display` leave out user name, password and query.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// The text is not a base URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It can't be read as an address.
    #[error("not an address ({0})")]
    NotAUrl(String),
    /// It is of another kind than http and https.
    #[error("the address must begin with https:// or http://")]
    NotHttp,
}

impl BaseUrl {
    /// Reads an address; blanks around it and slashes at its end don't matter.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let url =
            Url::parse(text.trim()).map_err(|error| AddressError::NotAUrl(error.to_string()))?;
        let is_http = matches!(url.scheme(), "http" | "https");
        if is_http && url.has_host() {
            Ok(Self(url))
        } else {
            Err(AddressError::NotHttp)
        }
    }

    /// Returns the host, without its port.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Tells whether what is sent there can be read on the way.
    pub fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }

    /// Tells whether the host is this machine.
    pub fn is_loopback(&self) -> bool {
        match self.ip() {
            Some(ip) => ip.to_canonical().is_loopback(),
            None => self.host() == "localhost" || self.host().ends_with(".localhost"),
        }
    }

    /// Tells whether the host is this machine or one of a private network.
    pub fn is_private(&self) -> bool {
        match self.ip() {
            Some(ip) => is_private(ip.to_canonical()),
            None => self.is_loopback() || has_private_name(self.host()),
        }
    }

    /// Returns the address of `path`. A base that already ends in `/v1` is forgiven.
    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        let base = self.0.path().trim_end_matches('/');
        let base = if path.starts_with("/v1/") {
            base.strip_suffix("/v1").unwrap_or(base)
        } else {
            base
        };
        let (path, query) = path
            .split_once('?')
            .map_or((path, None), |(p, q)| (p, Some(q)));
        url.set_path(&format!("{base}{path}"));
        if query.is_some() {
            url.set_query(query);
        }
        url.set_fragment(None);
        url
    }

    fn ip(&self) -> Option<IpAddr> {
        self.host().trim_matches(['[', ']']).parse().ok()
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.0.scheme(), self.host())?;
        if let Some(port) = self.0.port() {
            write!(f, ":{port}")?;
        }
        f.write_str(self.0.path().trim_end_matches('/'))
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BaseUrl({self})")
    }
}

fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_loopback() || is_local_v6(ip),
    }
}

fn is_local_v6(ip: Ipv6Addr) -> bool {
    ip.is_unique_local() || ip.is_unicast_link_local()
}

/// Names that no public name server answers for: a bare host name, or an ending kept for this.
fn has_private_name(host: &str) -> bool {
    let endings = [".local", ".internal", ".lan", ".home.arpa"];
    !host.contains('.') || endings.iter().any(|ending| host.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(text: &str) -> BaseUrl {
        BaseUrl::parse(text).unwrap()
    }

    #[test]
    fn a_path_is_put_below_the_base() {
        let joined = |text: &str, path| base(text).join(path).to_string();
        let messages = "/v1/messages";
        assert_eq!(joined("https://h", messages), "https://h/v1/messages");
        assert_eq!(joined("https://h/", messages), "https://h/v1/messages");
        assert_eq!(
            joined("http://h:1/a//", messages),
            "http://h:1/a/v1/messages"
        );
        assert_eq!(joined("http://h/a/v1", messages), "http://h/a/v1/messages");
        assert_eq!(
            joined("http://h", "/v1/models?limit=1"),
            "http://h/v1/models?limit=1"
        );
    }

    #[test]
    fn this_machine_and_private_networks_are_told_from_the_rest() {
        for host in [
            "localhost",
            "127.0.0.1",
            "127.9.9.9",
            "[::1]",
            "a.localhost",
        ] {
            assert!(base(&format!("http://{host}:80")).is_loopback(), "{host}");
        }
        for host in [
            "10.0.0.1",
            "192.168.1.2",
            "172.16.0.1",
            "[fd00::1]",
            "gpu",
            "gpu.lan",
        ] {
            let base = base(&format!("http://{host}"));
            assert!(base.is_private() && !base.is_loopback(), "{host}");
        }
        for host in [
            "api.anthropic.com",
            "8.8.8.8",
            "172.32.0.1",
            "localhost.evil.test",
        ] {
            assert!(!base(&format!("http://{host}")).is_private(), "{host}");
        }
    }

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        let base = base("https://bob:hunter2@h:8443/a/?key=s3cret");
        assert_eq!(base.to_string(), "https://h:8443/a");
        assert_eq!(format!("{base:?}"), "BaseUrl(https://h:8443/a)");
    }

    #[test]
    fn only_web_addresses_are_taken() {
        assert_eq!(BaseUrl::parse("ftp://h"), Err(AddressError::NotHttp));
        assert!(matches!(
            BaseUrl::parse("h:80x"),
            Err(AddressError::NotAUrl(_) | AddressError::NotHttp)
        ));
        assert!(BaseUrl::parse("").is_err());
    }
}
