//! Which web addresses a server may have.

use std::net::IpAddr;

/// Why an address is refused, a full sentence.
pub(crate) fn refusal(url: &str) -> Option<String> {
    let Some((scheme, rest)) = url.split_once("://") else {
        return Some("Its address is not a web address; it must begin with https://.".to_owned());
    };
    let host = host_of(rest);
    if host.is_empty() {
        return Some("Its address names no host.".to_owned());
    }
    match scheme.to_ascii_lowercase().as_str() {
        "https" => None,
        "http" if is_near(host) => None,
        "http" => Some(format!(
            "Its address is not encrypted: use https:// for `{host}`. Only hosts on this machine or a private network may be reached over http://."
        )),
        _ => Some("Its address must begin with https://.".to_owned()),
    }
}

/// Returns the host in what follows `://`, without user, port and brackets.
fn host_of(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or("");
    let host = authority.rsplit('@').next().unwrap_or("");
    if let Some(inside) = host.strip_prefix('[') {
        return inside.split(']').next().unwrap_or("");
    }
    host.split(':').next().unwrap_or("")
}

/// Tells whether a host is this machine or on a private network.
fn is_near(host: &str) -> bool {
    let name = host.trim_end_matches('.').to_ascii_lowercase();
    if name == "localhost" || name.ends_with(".localhost") {
        return true;
    }
    match name.parse() {
        Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private() || ip.is_link_local(),
        Ok(IpAddr::V6(ip)) => {
            ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local()
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_hosts_may_be_reached_without_encryption() {
        for fine in [
            "https://h.test/mcp",
            "http://localhost:3001/mcp",
            "http://127.0.0.1/",
            "http://[::1]:8080/mcp",
            "http://192.168.1.7",
            "http://10.0.0.1:1/x?y#z",
            "HTTP://LOCALHOST",
        ] {
            assert_eq!(refusal(fine), None, "{fine}");
        }
        for wrong in [
            "http://h.test/mcp",
            "http://127.0.0.1.evil.test/",
            "http://localhost@evil.test/",
            "http://8.8.8.8/",
            "http://evil.test\\@localhost/",
            "ftp://localhost",
            "localhost:3000",
            "https://",
            "https:///x",
        ] {
            assert!(refusal(wrong).is_some(), "{wrong}");
        }
    }
}
