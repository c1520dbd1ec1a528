//! Secrets of many kinds in many places, made fresh for each run, and text that holds none.

use std::collections::hash_map::RandomState;
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher};

/// A secret: the text it is written in, and the parts that must never be seen.
pub(crate) struct Secret {
    pub(crate) written: String,
    marks: Vec<String>,
}

impl Secret {
    /// Returns what can be seen of the secret: a whole mark or its first six characters.
    pub(crate) fn leaked_in(&self, shown: &str) -> Option<String> {
        self.marks
            .iter()
            .flat_map(|mark| [mark.clone(), mark.chars().take(6).collect()])
            .find(|part| shown.contains(part.as_str()))
    }
}

/// Random letters and digits; at least one of each.
fn random(length: usize) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    let mut out = String::from("q7Z");
    while out.len() < length {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_usize(out.len());
        let mut bits = hasher.finish();
        for _ in 0..8 {
            let index = usize::try_from(bits % 57).unwrap();
            out.push(char::from(ALPHABET[index]));
            bits /= 57;
        }
    }
    out.chars().rev().take(length).collect()
}

fn hex(length: usize) -> String {
    let mut out = String::new();
    while out.len() < length {
        let bits = RandomState::new().build_hasher().finish();
        write!(out, "{bits:016x}").unwrap();
    }
    out.truncate(length);
    out
}

/// Forms whose `{}` is the secret: found wherever they stand.
const FORMS: &[(&str, &str, usize)] = &[
    ("anthropic", "sk-ant-api03-{}", 40),
    ("openai", "sk-{}", 48),
    ("openai project", "sk-proj-{}", 60),
    ("github", "ghp_{}", 36),
    ("github oauth", "gho_{}", 36),
    ("github server", "ghs_{}", 36),
    ("github fine", "github_pat_{}", 60),
    ("gitlab", "glpat-{}", 20),
    ("slack bot", "xoxb-{}", 40),
    ("slack user", "xoxp-{}", 40),
    ("google key", "AIza{}", 35),
    ("google oauth", "ya29.{}", 60),
    ("google client", "GOCSPX-{}", 28),
    ("npm", "npm_{}", 36),
    ("pypi", "pypi-{}", 60),
    ("hugging face", "hf_{}", 34),
    ("sendgrid", "SG.{}.abcdefghijklmnopqrstuvwxyz", 22),
    ("stripe", "sk_live_{}", 24),
    ("stripe restricted", "rk_live_{}", 24),
    ("stripe webhook", "whsec_{}", 32),
    ("linear", "lin_api_{}", 40),
    ("notion", "ntn_{}", 40),
    ("xai", "xai-{}", 60),
    ("groq", "gsk_{}", 50),
    ("replicate", "r8_{}", 36),
    ("docker", "dckr_pat_{}", 27),
    ("vault", "hvs.{}", 28),
    (
        "jwt",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{}.abc_def-0123456789",
        30,
    ),
    ("url password", "https://bob:{}@host.test/path", 14),
    ("dsn", "postgres://admin:{}@db:5432/app", 14),
    ("dsn with at", "mysql://admin:x@{}@db:3306/app", 14),
    ("dsn with slash", "redis://admin:x/{}@db:6379", 14),
    ("url token", "https://{}@host.test/repo.git", 30),
    ("query", "https://host.test/p?token={}&page=2", 14),
    ("query api key", "https://host.test/p?page=2&api_key={}", 14),
    ("fragment", "https://host.test/cb#access_token={}", 14),
    ("jdbc", "jdbc:mysql://h/db?user=u&password={}", 14),
    (
        "sas",
        "https://acct.blob.core.windows.net/c?sv=2022&sig={}",
        40,
    ),
    (
        "webhook",
        "https://hooks.slack.com/services/T0001/B0001/{}",
        24,
    ),
    ("env", "DB_PASSWORD={}", 14),
    ("env token", "GITHUB_TOKEN={}", 14),
    ("pgpassword", "PGPASSWORD={}", 14),
    ("aws secret", "AWS_SECRET_ACCESS_KEY={}", 40),
    ("kwarg", "connect(host='h',password='{}')", 14),
    (
        "compact json",
        "{\"user\":\"u\",\"password\":\"{}\",\"n\":1}",
        14,
    ),
    (
        "compact json number",
        "{\"user\":\"u\",\"clientSecret\":987{},\"n\":1}",
        0,
    ),
    (
        "escaped json",
        "\"{\\\"apiKey\\\":\\\"{}\\\",\\\"n\\\":1}\"",
        14,
    ),
    ("flag", "--password={}", 14),
    ("xml", "<password>{}</password>", 14),
    (
        "connection string",
        "Server=db;User=sa;Password={};Database=app",
        14,
    ),
];

/// Forms that hold blanks or lines: written as they are.
const LONG_FORMS: &[(&str, &str)] = &[
    ("bearer", "Authorization: Bearer {}"),
    ("bearer header", "-H 'Authorization: Bearer {}'"),
    ("bearer alone", "Bearer {}"),
    ("basic", "Authorization: Basic {}"),
    ("api key header", "X-Api-Key: {}"),
    ("cookie", "Cookie: theme=dark; sid={}; lang=en"),
    ("set-cookie", "Set-Cookie: session={}; Path=/; HttpOnly"),
    (
        "cookie flag",
        "curl -b x -H \"Cookie: sid={}\" https://host.test",
    ),
    ("yaml", "password: {}"),
    ("yaml quoted", "api_key: \"{}\""),
    ("toml", "client_secret = \"{}\""),
    ("ini", "secret = {}"),
    ("json", "\"password\": \"{}\","),
    ("json blanks", "\"passphrase\" : \"two words {}\""),
    ("json number", "\"client_secret\": 12{},"),
    ("shell export", "export API_TOKEN=\"{}\""),
    ("shell flag", "mysql --user root --password {} app"),
    ("curl user", "curl -u bob:{} https://host.test"),
    (
        "pem",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA{}\n{}AAAAAAAAAAAAAAAA\n-----END RSA PRIVATE KEY-----",
    ),
    (
        "openssh",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXkt{}\n-----END OPENSSH PRIVATE KEY-----",
    ),
    (
        "pem in json",
        "\"private_key\": \"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkq{}\\n-----END PRIVATE KEY-----\\n\"",
    ),
    (
        "pem cut short",
        "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIOaaaaaaaaaaaaaa{}",
    ),
    ("table", "| password | {} |"),
    ("markdown", "**Password:** {}"),
];

/// Returns fresh secrets of every kind.
pub(crate) fn secrets() -> Vec<(&'static str, Secret)> {
    let mut all = Vec::new();
    for (kind, form, length) in FORMS {
        let secret = if *length == 0 {
            "65432101".to_owned()
        } else {
            random(*length)
        };
        all.push((*kind, make(form, &secret)));
    }
    for (kind, form) in LONG_FORMS {
        let secret = if kind.ends_with("number") {
            "34567890".to_owned()
        } else {
            random(16)
        };
        all.push((*kind, make(form, &secret)));
    }
    for (kind, secret) in [
        ("aws id", format!("AKIA{}", random(16).to_uppercase())),
        ("digital ocean", format!("dop_v1_{}", hex(64))),
        ("shopify", format!("shpat_{}", hex(32))),
        ("databricks", format!("dapi{}", hex(32))),
        ("mailgun", format!("key-{}", hex(32))),
        ("telegram", format!("123456789:AA{}", random(33))),
    ] {
        let mark = secret.chars().skip(12).collect();
        all.push((
            kind,
            Secret {
                written: secret,
                marks: vec![mark],
            },
        ));
    }
    all
}

fn make(form: &str, secret: &str) -> Secret {
    Secret {
        written: form.replace("{}", secret),
        marks: vec![secret.to_owned()],
    }
}

/// Returns the text of a secret in each position.
pub(crate) fn positions(secret: &Secret) -> Vec<(&'static str, String)> {
    let it = &secret.written;
    vec![
        ("alone", it.clone()),
        ("first", format!("{it} and more")),
        ("last", format!("Here it is:\n{it}")),
        ("own line", format!("Settings\n\n{it}\n\nThat is all.\n")),
        ("list", format!("- one\n- {it}\n- three")),
        ("code", format!("Try this:\n```\n{it}\n```\n")),
        ("wide text", format!("修复🌊 {it} 方法é")),
    ]
}

/// Text that must stay as it is.
pub(crate) const HARMLESS: &[&str] = &[
    "The quick brown fox jumps over the lazy dog.",
    "Session token: a short string that names you. Password: must be at least eight characters.",
    "The password is wrong; ask for a new token, or reset your secret.",
    "Secrets are kept in /etc/secrets/app.yaml and ~/.ssh/id_ed25519.pub, not in C:\\secrets\\x.txt.",
    "docker run -v /run/secrets:/run/secrets:ro -p 8080:80 image:1.2.3",
    "550e8400-e29b-41d4-a716-446655440000 and 01890a5d-ac96-774b-bcce-b302099a8057",
    "commit 1aa7c3f9d2b4e8a7c6f5e4d3b2a190817263544a",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "https://example.com:8080/path/to/page?page=2&sort=name#top",
    "git@github.com:owner/repo.git and ssh://git@host.test:22/x.git",
    "max_tokens=16000 token_count: 12 \"tokens\": 5, \"max_tokens\": 100",
    "author: Jane, authors=[\"Ann\"], \"author\": \"Bob\"",
    "let token = parser.next_token(); let x: Token::New = Token::new(token);",
    "fn login(password: &str, token: Option<String>) -> Result<Session, Error> {",
    "client = Anthropic(api_key=os.environ[\"ANTHROPIC_API_KEY\"])",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "curl -H \"Authorization: Bearer $TOKEN\" https://host.test",
    "export PWD=/home/ann OLDPWD=/tmp",
    "PWD=/home/ann\nHOME=/home/ann\nPATH=/usr/bin:/bin\nSHELL=/bin/bash\n",
    "Use the --token flag, or --password-file /run/pw.",
    "class=\"sk-fading-circle sk-cube-grid\" risk-adverse-behaviour task-1234567890123456789",
    "-----BEGIN CERTIFICATE-----\nMIIDXTCCAkWgAwIBAgIJAJC1HiIAZAiIMA0GCSqGSIb3Df\n-----END CERTIFICATE-----",
    "A key begins with `-----BEGIN PRIVATE KEY-----` and then comes base64.",
    "Basic authentication sends a password; bearer tokens are sent in a header.",
    "next_page_token: 17, \"nextPageToken\": \"CAEQAA12345\"",
    "public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFoo ann@host",
    "primary_key=id12345 foreign_key=user_id77 sort_key=a1b2c3",
    "12:30:45 GET /api/v1/tokens 200 15ms from 10.0.0.1:54321",
    "a == b && password == other; secret != null; token === x1y2z3",
    "mailto:ann@example.com?subject=Hello",
    "The keytide://host@2x.png name, user@example.com, @user, 50% off @ the shop",
    "| name | type |\n|---|---|\n| token | string |\n| password | string |\n",
    "cookie: a small piece of data. Cookies: none.",
    "‹token:sk-ant…3f› and ‹password:…00› stay.",
    "{\"signature\":\"EqQBCkYIabcdefghij0123456789\",\"type\":\"thinking\",\"id\":\"toolu_01ABCdef2345\"}",
];
