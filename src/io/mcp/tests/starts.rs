use super::*;
use crate::chat::tool::ToolOutcome;

async fn works(habits: &[&str]) -> String {
    let mut play = Play::new(vec![odd(habits)]);
    let protocol = play
        .next(|fact| match fact {
            Fact::ServerChanged {
                status: ServerStatus::Ready { protocol, .. },
                ..
            } => Some(protocol),
            Fact::ServerChanged {
                status: ServerStatus::Failed(failure),
                ..
            } => panic!("{failure:?}"),
            _ => None,
        })
        .await;
    play.listed("odd").await;
    assert_eq!(said(&play.call("odd", "echo", "hi").await), "hi");
    protocol
}

#[tokio::test]
async fn old_servers_that_do_not_understand_the_new_greeting_are_understood() {
    let (plain, silent, quits, shrugs) = tokio::join!(
        works(&[]),
        works(&["silent"]),
        works(&["quits"]),
        works(&["shrugs"])
    );
    assert_eq!([plain, silent, quits, shrugs], ["2025-11-25"; 4]);
}

#[tokio::test]
async fn new_servers_are_understood_also_when_they_are_slow() {
    let (plain, late, slow_old) = tokio::join!(
        works(&["modern"]),
        works(&["modern", "late"]),
        works(&["late"])
    );
    assert_eq!(
        [plain.as_str(), late.as_str(), slow_old.as_str()],
        ["2026-07-28", "2026-07-28", "2025-11-25"]
    );
}

#[tokio::test]
async fn a_new_server_is_listened_to_and_its_new_tool_is_heard_of() {
    let mut play = Play::new(vec![odd(&["modern"])]);
    play.listed("odd").await;
    let id = play.send("odd", "grow", "", LIMITS);
    let names = play.names("odd").await;
    assert_eq!(names.last().unwrap(), "grown");
    drop(id);
    assert_eq!(said(&play.call("odd", "grown", "new").await), "new");
}

#[tokio::test]
async fn a_slow_server_holds_nobody_up_and_is_there_in_the_end() {
    let parts = [
        ("s1", json!({"initialize": {"delay": 2.0}})),
        ("s2", json!({"initialize": {"never": true}})),
        ("s3", json!({})),
    ];
    let mut play = Play::parts(&parts, 1_500);
    let (mut listed, mut slow) = (Vec::new(), Vec::new());
    while listed.len() < 2 || !slow.contains(&"s2".to_owned()) {
        play.next(|fact| match fact {
            Fact::ToolsListed { server, .. } => {
                listed.push(server.to_string());
                Some(())
            }
            Fact::ServerChanged {
                server,
                status: ServerStatus::Slow { .. },
            } => {
                slow.push(server.to_string());
                Some(())
            }
            _ => None,
        })
        .await;
    }
    listed.sort();
    assert_eq!(listed, ["s1", "s3"]);
    for server in ["s1", "s3"] {
        assert_eq!(said(&play.call(server, "echo", server).await), server);
    }
    let result = play.call("s2", "echo", "").await;
    assert_eq!(result.outcome, ToolOutcome::NotRun);
}

#[tokio::test]
async fn each_server_that_can_not_start_says_why_and_the_good_one_works() {
    let folder = tempfile::tempdir().unwrap();
    let here = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(here("plain"), "x").unwrap();
    std::fs::create_dir(here("sub")).unwrap();
    std::os::unix::fs::symlink(support("fake_mcp.py"), here("sub/server.py")).unwrap();
    std::fs::write(here("part.json"), format!(r#"{{"log":"{}"}}"#, here("log"))).unwrap();
    let mut relative = program("s5", "./python", &["server.py", "../part.json", "~"]);
    let python = std::process::Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .unwrap();
    std::os::unix::fs::symlink(
        String::from_utf8(python.stdout).unwrap().trim(),
        here("sub/python"),
    )
    .unwrap();
    if let Reach::Stdio { env, cwd, .. } = &mut relative.reach {
        *env = vec![("T".to_owned(), "1".to_owned())];
        *cwd = Some("sub".to_owned());
    }
    let mut no_folder = program("s6", "python3", &[]);
    if let Reach::Stdio { cwd, .. } = &mut no_folder.reach {
        *cwd = Some("nowhere".to_owned());
    }
    let ends = "import sys; print('\\x1b[31mno licence', file=sys.stderr)";
    let entries = vec![
        program("s1", "no-such-bin", &["--flag"]),
        program("s2", &here("plain"), &[]),
        program("s3", &here("sub"), &[]),
        program("s4", "python3", &["-c", ends]),
        relative,
        no_folder,
        ServerEntry {
            reach: Reach::OldSse {
                url: "https://h.test/sse".into(),
            },
            ..program("s7", "", &[])
        },
        ServerEntry {
            reach: Reach::Http {
                url: "http://h.test/".into(),
                headers: vec![],
            },
            ..program("s8", "", &[])
        },
    ];
    let mut play = Play::in_folder(entries, 20_000, folder);
    let mut failures = BTreeMap::new();
    let mut good = false;
    while failures.len() < 7 || !good {
        play.next(|fact| match fact {
            Fact::ServerChanged {
                server,
                status: ServerStatus::Failed(failure),
            } => {
                failures.insert(server.to_string(), failure);
                Some(())
            }
            Fact::ToolsListed { server, .. } => {
                assert_eq!(server.as_str(), "s5");
                good = true;
                Some(())
            }
            _ => None,
        })
        .await;
    }
    let reason = |name: &str| failures[name].reason.clone();
    assert_eq!(
        reason("s1"),
        "The server `s1` is not there. Its command `no-such-bin` was not found."
    );
    assert_eq!(failures["s1"].command, "no-such-bin --flag");
    assert!(reason("s2").ends_with("is not executable."));
    assert!(reason("s3").ends_with("is a folder."));
    assert_eq!(failures["s4"].exit.as_deref(), Some("exit code 0"));
    assert_eq!(failures["s4"].stderr.last().unwrap(), "no licence");
    assert!(reason("s6").contains("working folder"));
    assert!(reason("s7").contains("mcp-remote"));
    assert!(reason("s8").contains("https://"));
    let log = std::fs::read_to_string(play.folder.path().join("log")).unwrap();
    let started: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let names: Vec<_> = started["environ"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert!(
        names.contains(&"T".to_owned()) && !names.contains(&"SECRET_KEY".to_owned()),
        "{names:?}"
    );
    assert_eq!(started["argv"][2], "~");
}

#[tokio::test]
async fn a_server_that_is_switched_off_is_not_started() {
    let entry = ServerEntry {
        disabled: true,
        ..odd(&[])
    };
    let mut play = Play::new(vec![entry]);
    let status = play
        .next(|fact| match fact {
            Fact::ServerChanged { status, .. } => Some(status),
            _ => None,
        })
        .await;
    assert_eq!(status, ServerStatus::Disabled);
    let result = play.call("odd", "echo", "").await;
    assert_eq!(result.outcome, ToolOutcome::NotRun);
}
