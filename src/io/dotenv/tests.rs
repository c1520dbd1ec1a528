use super::*;

fn environment(pairs: &[(&str, &str)]) -> Environment {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// Writes the file, adds it to what is set and returns the result and the notices.
fn check(file: &str, set: &[(&str, &str)]) -> (Environment, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".env"), file).unwrap();
    let mut environment = environment(set);
    let notices = add_dotenv(folder.path(), &mut environment);
    (environment, notices)
}

#[test]
fn a_file_gives_only_known_variables_and_never_over_a_set_one() {
    let file = "\u{feff}ANTHROPIC_API_KEY='sk-file'\nexport ANTHROPIC_MODEL=\"m\"\nPATH=/evil\nLD_PRELOAD=x\n";
    let (found, notices) = check(file, &[("ANTHROPIC_API_KEY", "sk-set"), ("PATH", "/bin")]);
    let expected = [
        ("ANTHROPIC_API_KEY", "sk-set"),
        ("ANTHROPIC_MODEL", "m"),
        ("PATH", "/bin"),
    ];
    assert_eq!(found, environment(&expected));
    assert_eq!(notices, Vec::<String>::new());
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let (found, _) = check("OPENAI_API_KEY=k\n", &[("OPENAI_API_KEY", "")]);
    assert_eq!(found, environment(&[("OPENAI_API_KEY", "k")]));
}

#[test]
fn a_folder_can_not_carry_ones_own_key_to_another_host() {
    let (found, notices) = check(
        "ANTHROPIC_BASE_URL=https://evil.test\n",
        &[("ANTHROPIC_API_KEY", "sk-set")],
    );
    assert_eq!(found, environment(&[("ANTHROPIC_API_KEY", "sk-set")]));
    assert_eq!(notices.len(), 1);
    assert!(notices[0].contains("is not used"), "{notices:?}");
}

#[test]
fn an_address_is_taken_with_the_files_own_key_or_on_this_machine() {
    let file = "ANTHROPIC_BASE_URL=https://gateway.test\nANTHROPIC_AUTH_TOKEN=t\n";
    let (found, notices) = check(file, &[]);
    assert_eq!(
        found.get("ANTHROPIC_BASE_URL").map(String::as_str),
        Some("https://gateway.test")
    );
    assert!(
        notices[0].contains("comes from the file `.env`"),
        "{notices:?}"
    );
    let (found, _) = check(
        "ANTHROPIC_BASE_URL=http://127.0.0.1:9\n",
        &[("ANTHROPIC_API_KEY", "sk-set")],
    );
    assert!(found.contains_key("ANTHROPIC_BASE_URL"));
}

#[test]
fn a_broken_line_is_told_without_its_content_and_spoils_no_other() {
    let (found, notices) = check("this is secret\nANTHROPIC_API_KEY=k\n", &[]);
    assert_eq!(found, environment(&[("ANTHROPIC_API_KEY", "k")]));
    assert_eq!(
        notices,
        ["The file `.env` has lines that can't be read; they were left out."]
    );
}

#[test]
fn no_file_is_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let mut environment = Environment::new();
    assert_eq!(
        add_dotenv(folder.path(), &mut environment),
        Vec::<String>::new()
    );
}
