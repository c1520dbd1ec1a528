//! The environment that a child process gets: a short list, never the person's keys.

/// Variables that are passed on by name. Proxy variables count in either case.
const PASSED: [&str; 11] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "TZ",
    "TMPDIR",
    "TERM",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
];

/// What Windows programs can't start without.
const PASSED_ON_WINDOWS: [&str; 8] = [
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
];

/// Returns the environment for a server: the short list from `ours`, then the entry's own, which
/// wins.
pub(crate) fn environment(
    ours: &[(String, String)],
    entry: &[(String, String)],
) -> Vec<(String, String)> {
    let listed = ours.iter().filter(|(name, _)| is_passed(name));
    let mut all: Vec<(String, String)> = listed.cloned().collect();
    all.retain(|(name, _)| entry.iter().all(|(own, _)| own != name));
    all.extend(entry.iter().cloned());
    all
}

fn is_passed(name: &str) -> bool {
    let is_proxy = |upper: &str| upper.ends_with("_PROXY") && PASSED.contains(&upper);
    PASSED.contains(&name)
        || name.starts_with("LC_")
        || is_proxy(&name.to_ascii_uppercase())
        || (cfg!(windows) && is_windows_need(name))
}

fn is_windows_need(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    PASSED_ON_WINDOWS.contains(&upper.as_str()) || upper == "PATH"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_person_are_not_passed_on() {
        let ours = [
            ("PATH", "/bin"),
            ("ANTHROPIC_API_KEY", "sk-1"),
            ("LC_ALL", "C"),
            ("https_proxy", "p"),
            ("AWS_SECRET_ACCESS_KEY", "x"),
            ("KEYTIDE_DATA_DIR", "d"),
            ("HOME", "/root"),
        ];
        let ours = ours.map(|(a, b)| (a.to_owned(), b.to_owned()));
        let entry = [
            ("HOME".to_owned(), "/own".to_owned()),
            ("T".to_owned(), "1".to_owned()),
        ];
        let given = environment(&ours, &entry);
        let given: Vec<_> = given
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(
            given,
            [
                ("PATH", "/bin"),
                ("LC_ALL", "C"),
                ("https_proxy", "p"),
                ("HOME", "/own"),
                ("T", "1")
            ]
        );
    }
}
