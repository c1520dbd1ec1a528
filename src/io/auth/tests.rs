use super::*;

fn environment(pairs: &[(&str, &str)]) -> Environment {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn entry(name: &str) -> ProviderEntry {
    ProviderEntry {
        name: name.into(),
        wire: "anthropic".into(),
        base_url: None,
        api_key_env: None,
        api_key_command: Vec::new(),
    }
}

fn command(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn header_key(key: &str) -> Credential {
    api_key(Secret::new(key))
}

async fn find(pairs: &[(&str, &str)]) -> Result<FoundEndpoint, AuthError> {
    find_endpoint(&environment(pairs), None).await
}

#[tokio::test]
async fn a_key_of_the_environment_is_sent_to_anthropic() {
    let found = find(&[
        ("ANTHROPIC_API_KEY", " sk-ant-1\n"),
        ("ANTHROPIC_MODEL", "m"),
    ])
    .await;
    let expected = FoundEndpoint {
        endpoint: Endpoint {
            base_url: BaseUrl::parse(ANTHROPIC).unwrap(),
            version: Version::Current,
            credential: header_key("sk-ant-1"),
            custom_headers: Vec::new(),
        },
        model: Some("m".into()),
        notices: Vec::new(),
    };
    assert_eq!(found, Ok(expected));
}

#[tokio::test]
async fn of_a_key_and_a_token_the_key_is_used_and_that_is_told() {
    let both = [("ANTHROPIC_API_KEY", "k"), ("ANTHROPIC_AUTH_TOKEN", "t")];
    let found = find(&both).await.unwrap();
    assert_eq!(found.endpoint.credential, header_key("k"));
    assert_eq!(found.notices.len(), 1);
    let token = find(&[("ANTHROPIC_AUTH_TOKEN", "t"), ("ANTHROPIC_API_KEY", "")])
        .await
        .unwrap();
    assert_eq!(
        token.endpoint.credential,
        Credential::Bearer(Secret::new("t"))
    );
    assert_eq!(token.notices, Vec::<String>::new());
}

#[tokio::test]
async fn a_token_of_an_account_brings_the_beta_that_it_needs() {
    let found = find(&[("ANTHROPIC_AUTH_TOKEN", "sk-ant-oat01-x")])
        .await
        .unwrap();
    let expected = [("anthropic-beta".to_owned(), Secret::new("oauth-2025-04-20"))];
    assert_eq!(found.endpoint.custom_headers, expected);
}

#[tokio::test]
async fn only_a_server_nearby_needs_no_key() {
    let error = find(&[]).await.unwrap_err();
    assert_eq!(
        error,
        AuthError::NoKey {
            host: ANTHROPIC_HOST.into()
        }
    );
    assert_eq!(error.kind(), FailureKind::NoCredentials);
    assert!(
        find(&[("ANTHROPIC_BASE_URL", "https://gateway.test")])
            .await
            .is_err()
    );
    for near in [
        "http://127.0.0.1:8080",
        "http://localhost:1",
        "http://192.168.0.7",
    ] {
        let found = find(&[("ANTHROPIC_BASE_URL", near)]).await.unwrap();
        assert_eq!(found.endpoint.credential, Credential::None);
        assert_eq!(found.endpoint.version, Version::Classic);
    }
}

#[tokio::test]
async fn ones_own_headers_are_one_a_line_and_can_hold_the_key() {
    let pairs = [
        ("ANTHROPIC_BASE_URL", "https://gateway.test"),
        (
            "ANTHROPIC_CUSTOM_HEADERS",
            "Authorization: Basic a:b\n\n X-Team :  blue \r\n",
        ),
    ];
    let headers = find(&pairs).await.unwrap().endpoint.custom_headers;
    let expected = [
        ("authorization".to_owned(), Secret::new("Basic a:b")),
        ("x-team".to_owned(), Secret::new("blue")),
    ];
    assert_eq!(headers, expected);
    let odd = find(&[
        ("ANTHROPIC_API_KEY", "k"),
        ("ANTHROPIC_CUSTOM_HEADERS", "a: b\nnothing"),
    ]);
    assert_eq!(odd.await, Err(AuthError::BadHeader { line: 2 }));
}

#[tokio::test]
async fn an_endpoint_of_ones_own_is_not_touched_by_the_environment() {
    let set = environment(&[
        ("ANTHROPIC_BASE_URL", "https://elsewhere.test"),
        ("ANTHROPIC_API_KEY", "k"),
        ("LOCAL_KEY", "local"),
    ]);
    let mut own = entry("local");
    own.base_url = Some("https://mine.test/v1".into());
    own.api_key_env = Some("LOCAL_KEY".into());
    let found = find_endpoint(&set, Some(&own)).await.unwrap().endpoint;
    assert_eq!(found.base_url.host(), "mine.test");
    assert_eq!(found.credential, header_key("local"));
    own.api_key_env = None;
    assert!(find_endpoint(&set, Some(&own)).await.is_err());
}

#[tokio::test]
async fn a_command_prints_the_key_without_a_shell() {
    let mut own = entry("anthropic");
    own.api_key_command = command(&["echo", "sk-$HOME;x"]);
    let found = find_endpoint(&Environment::new(), Some(&own))
        .await
        .unwrap();
    assert_eq!(found.endpoint.credential, header_key("sk-$HOME;x"));
}

#[tokio::test]
async fn a_command_that_gives_no_key_is_named() {
    let failure = |words: &'static [&'static str]| async move {
        let mut own = entry("anthropic");
        own.api_key_command = command(words);
        find_endpoint(&Environment::new(), Some(&own))
            .await
            .unwrap_err()
            .to_string()
    };
    let missing = failure(&["keytide-no-such-program", "show"]).await;
    assert!(
        missing.starts_with("the command `keytide-no-such-program show`"),
        "{missing}"
    );
    assert!(failure(&["true"]).await.ends_with("it printed nothing"));
    assert!(failure(&["false"]).await.contains("exit status"));
}

#[tokio::test]
async fn a_key_with_odd_characters_is_refused_without_repeating_it() {
    let error = find(&[("ANTHROPIC_API_KEY", "sk\nsecret")])
        .await
        .unwrap_err();
    assert_eq!(
        error,
        AuthError::OddKey {
            place: "ANTHROPIC_API_KEY".into()
        }
    );
}

#[tokio::test]
async fn an_address_that_is_none_names_its_place() {
    let error = find(&[("ANTHROPIC_BASE_URL", "api.test")])
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the base URL in ANTHROPIC_BASE_URL"),
        "{error}"
    );
}

#[tokio::test]
async fn a_key_over_a_plain_connection_to_far_away_is_told() {
    let pairs = [
        ("ANTHROPIC_BASE_URL", "http://gateway.test"),
        ("ANTHROPIC_API_KEY", "k"),
    ];
    assert_eq!(find(&pairs).await.unwrap().notices.len(), 1);
}

#[test]
fn a_secret_can_not_be_printed_by_accident() {
    let endpoint = format!("{:?}", header_key("sk-ant-1"));
    assert!(!endpoint.contains("sk-ant"), "{endpoint}");
}
