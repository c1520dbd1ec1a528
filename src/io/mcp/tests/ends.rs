use tokio::time::Instant as Clock;

use super::*;
use crate::chat::tool::ToolOutcome;

/// Counts the processes that carry a mark in their environment.
fn marked(mark: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let environments =
        processes.filter_map(|entry| std::fs::read(entry.path().join("environ")).ok());
    environments
        .filter(|environment| {
            environment
                .windows(mark.len())
                .any(|part| part == mark.as_bytes())
        })
        .count()
}

/// A server behind a shell, so that it is a grandchild, which ignores what `ignore` names.
fn wrapped(folder: &TempDir, mark: &str, ignore: &Value) -> ServerEntry {
    let part = folder.path().join("part.json");
    std::fs::write(
        &part,
        json!({"ignore": ignore, "grandchild": true}).to_string(),
    )
    .unwrap();
    let script = format!(
        "python3 {} {}; true",
        support("fake_mcp.py"),
        part.display()
    );
    let mut entry = program("s", "sh", &["-c", &script]);
    if let Reach::Stdio { env, .. } = &mut entry.reach {
        *env = vec![("TG_MARK".to_owned(), mark.to_owned())];
    }
    entry
}

async fn is_cleared(mark: &str) -> bool {
    for _ in 0..200 {
        if marked(mark) == 0 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

#[tokio::test]
async fn nothing_is_left_of_a_server_that_wants_to_stay() {
    let folder = tempfile::tempdir().unwrap();
    let entry = wrapped(&folder, "mark-stubborn-1", &json!(["TERM", "EOF"]));
    let mut play = Play::in_folder(vec![entry], 20_000, folder);
    play.listed("s").await;
    assert!(marked("mark-stubborn-1") >= 3);
    let began = Clock::now();
    play.mcp.shutdown(LONGEST_STOP).await;
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
    assert!(is_cleared("mark-stubborn-1").await);
}

#[tokio::test]
async fn a_server_that_wants_to_stay_is_killed_in_time_when_the_terminal_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let entry = wrapped(&folder, "mark-hasty-1", &json!(["TERM", "EOF"]));
    let mut play = Play::in_folder(vec![entry], 20_000, folder);
    play.listed("s").await;
    let began = Clock::now();
    play.mcp.shutdown(Duration::from_millis(200)).await;
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
    // Killed when the wait is over, not some time later.
    let alive = marked("mark-hasty-1");
    assert!(alive == 0 || is_cleared("mark-hasty-1").await, "{alive}");
}

#[tokio::test]
async fn nothing_is_left_when_the_servers_are_dropped_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let entry = wrapped(&folder, "mark-dropped-1", &json!(["TERM", "EOF"]));
    let mut play = Play::in_folder(vec![entry], 20_000, folder);
    play.listed("s").await;
    drop(play);
    assert!(is_cleared("mark-dropped-1").await);
}

#[tokio::test]
async fn a_server_that_goes_by_itself_goes_quickly() {
    let mut play = Play::parts(&[("a", json!({})), ("b", json!({}))], 20_000);
    play.listed("a").await;
    let began = Clock::now();
    play.mcp.shutdown(LONGEST_STOP).await;
    assert!(
        began.elapsed() < Duration::from_millis(1_800),
        "{:?}",
        began.elapsed()
    );
    assert!(play.log("a").iter().any(|entry| entry["event"] == "eof"));
}

#[tokio::test]
async fn a_call_whose_server_dies_ends_soon_and_the_server_comes_back() {
    let part = json!({"stderr": ["last line"], "calls": {"wipe": {"exit": 7}}});
    let mut play = Play::part(&part);
    play.listed("s").await;
    let began = Clock::now();
    let id = play.send("s", "wipe", "", LIMITS);
    play.send("s", "echo", "", LIMITS);
    let result = play.finished(&id).await;
    assert_eq!(result.outcome, ToolOutcome::ServerGone);
    assert!(
        said(&result).starts_with("The server `s` ended (exit code 7)."),
        "{}",
        said(&result)
    );
    assert!(began.elapsed() < Duration::from_secs(2));
    let failure = play.failed("s").await;
    assert_eq!(failure.exit.as_deref(), Some("exit code 7"));
    assert_eq!(failure.stderr, ["last line"]);
    assert!(
        failure.reason.ends_with("It is started again in 1 s."),
        "{}",
        failure.reason
    );
    let result = play.call("s", "echo", "").await;
    assert_eq!(result.outcome, ToolOutcome::NotRun);
    play.listed("s").await;
    assert_eq!(said(&play.call("s", "echo", "back").await), "back");
}

#[tokio::test]
async fn a_server_that_is_restarted_often_leaves_no_process_behind() {
    let folder = tempfile::tempdir().unwrap();
    let entry = wrapped(&folder, "mark-restarted-1", &json!([]));
    let mut play = Play::in_folder(vec![entry], 20_000, folder);
    for _ in 0..4 {
        play.listed("s").await;
        play.mcp.restart(&ServerName::new("s"));
    }
    play.listed("s").await;
    let running = marked("mark-restarted-1");
    assert!(running <= 4, "{running}");
    play.mcp.shutdown(LONGEST_STOP).await;
    assert!(is_cleared("mark-restarted-1").await);
}

#[tokio::test]
async fn a_server_that_reads_nothing_can_still_be_cancelled_and_stopped() {
    let mut play = Play::new(vec![odd(&[])]);
    play.listed("odd").await;
    play.send("odd", "deaf", "", LIMITS);
    let big = play.send("odd", "echo", &"x".repeat(300_000), LIMITS);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let began = Clock::now();
    play.mcp.cancel(&big);
    assert_eq!(play.finished(&big).await.outcome, ToolOutcome::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(1));
    let began = Clock::now();
    play.mcp.shutdown(LONGEST_STOP).await;
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
}
