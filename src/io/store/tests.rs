use std::fs::{self, File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use crate::chat::entry::Entry;
use crate::chat::id::{RequestId, TranscriptId};
use crate::chat::message::ContentBlock;
use crate::chat::moment::Timestamp;
use crate::chat::stream::Usage;
use crate::io::store::library::{FindError, Library};
use crate::io::store::{News, Store, StoreOptions, report};
use crate::redact::{Redacted, Redactor};
use crate::transcript::record::{Body, Record};

/// A DATA folder, a store that writes into it, and what it has told.
struct Bench {
    home: TempDir,
    news: Arc<Mutex<Vec<News>>>,
}

impl Bench {
    fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            news: Arc::default(),
        }
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn store_with(&self, save: bool) -> Store {
        let news = self.news.clone();
        let options = StoreOptions {
            data: self.data(),
            folder: "/work".into(),
            program: "0.1.0".into(),
            save,
        };
        Store::start(
            options,
            Box::new(move |told| news.lock().unwrap().push(told)),
        )
        .unwrap()
    }

    fn store(&self) -> Store {
        self.store_with(true)
    }

    fn library(&self) -> Library {
        Library::new(self.data())
    }

    fn told(&self) -> Vec<News> {
        std::mem::take(&mut *self.news.lock().unwrap())
    }

    /// Makes a transcript with one message and returns its id and its path.
    async fn transcript(&self, text: &str) -> (TranscriptId, PathBuf) {
        let store = self.store();
        store.append(said(text));
        store.settled().await;
        let opened = self.told().into_iter().find_map(opened_id);
        let id = opened.expect("a file");
        let path = self.library().path(&id).unwrap();
        (id, path)
    }

    fn texts(&self, id: &TranscriptId) -> Vec<String> {
        let replay = self.library().load(id).unwrap();
        let text = |(_, entry): &(Timestamp, Entry)| {
            let Entry::UserSaid(blocks) = entry else {
                return None;
            };
            blocks[0].as_text().map(str::to_owned)
        };
        replay.entries.iter().filter_map(text).collect()
    }
}

fn opened_id(told: News) -> Option<TranscriptId> {
    let News::Opened(id) = told else {
        return None;
    };
    Some(id)
}

fn record(body: Body) -> Redacted<Record> {
    Redactor::default().redact(Record {
        at: Timestamp(1_764_554_400_000),
        body,
    })
}

fn said(text: &str) -> Redacted<Record> {
    record(Body::Entry(Entry::UserSaid(vec![ContentBlock::Text(
        text.into(),
    )])))
}

fn cut() -> Redacted<Record> {
    record(Body::Entry(Entry::Cut {
        request: RequestId(1),
        text: Some("half".into()),
        reason: "stopped".into(),
        usage: Usage::default(),
    }))
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o777
}

/// Every file and folder below a path.
fn all_below(path: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_type().unwrap().is_dir() {
            out.extend(all_below(&entry.path()));
        }
        out.push(entry.path());
    }
    out
}

#[tokio::test]
async fn a_session_without_a_message_leaves_nothing_behind() {
    let bench = Bench::new();
    let store = bench.store();
    store.append(record(Body::Titled("never".into())));
    store.settled().await;
    assert_eq!(all_below(bench.home.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn with_no_save_nothing_is_written_and_settling_still_ends() {
    let bench = Bench::new();
    let store = bench.store_with(false);
    store.append(said("hello"));
    store.settled().await;
    assert_eq!(all_below(bench.home.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn records_are_on_disk_in_order_when_it_has_settled() {
    let bench = Bench::new();
    let store = bench.store();
    for number in 0..200 {
        store.append(said(&format!("message {number}")));
    }
    store.settled().await;
    let id = bench.library().list()[0].id.clone();
    let expected: Vec<String> = (0..200).map(|number| format!("message {number}")).collect();
    assert_eq!(bench.texts(&id), expected);
    assert_eq!(bench.told(), [News::Opened(id)]);
}

#[tokio::test]
async fn files_and_folders_are_for_their_owner_alone() {
    let bench = Bench::new();
    let (_, path) = bench.transcript("hello").await;
    assert!(
        path.starts_with(bench.data().join("transcripts/2025/12")),
        "{path:?}"
    );
    assert_eq!(mode(&bench.data()), 0o700);
    for inner in all_below(&bench.data()) {
        let expected = if inner.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&inner), expected, "{inner:?}");
    }
}

#[tokio::test]
async fn old_files_that_others_can_read_are_tightened_and_it_is_told() {
    let bench = Bench::new();
    let (id, path) = bench.transcript("hello").await;
    fs::set_permissions(bench.data(), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let store = bench.store();
    store.go_on(id.clone(), false);
    store.append(said("again"));
    store.settled().await;
    assert_eq!((mode(&bench.data()), mode(&path)), (0o700, 0o600));
    let told = bench.told();
    let noticed = told
        .iter()
        .filter(|told| matches!(told, News::Noticed(_)))
        .count();
    assert_eq!(noticed, 2, "{told:?}");
    assert_eq!(bench.texts(&id), ["hello", "again"]);
}

#[tokio::test]
async fn after_half_a_line_the_next_record_begins_on_a_line_of_its_own() {
    let bench = Bench::new();
    let (id, path) = bench.transcript("first").await;
    let whole = fs::read(&path).unwrap();
    for cut in 1..40 {
        fs::write(&path, &whole[..whole.len() - cut]).unwrap();
        let store = bench.store();
        store.go_on(id.clone(), false);
        store.append(said("second"));
        store.settled().await;
        drop(store);
        let last = *bench.texts(&id).last().unwrap() == "second";
        assert!(last, "cut by {cut}");
    }
}

#[tokio::test]
async fn an_empty_file_is_listed_opens_and_goes_on() {
    let bench = Bench::new();
    let (id, path) = bench.transcript("first").await;
    for content in ["", "\n", "\n\n\n"] {
        fs::write(&path, content).unwrap();
        assert_eq!(bench.library().list().len(), 1);
        let store = bench.store();
        store.go_on(id.clone(), false);
        store.append(said("second"));
        store.settled().await;
        assert_eq!(bench.texts(&id), ["second"]);
    }
}

#[tokio::test]
async fn a_second_program_goes_on_in_a_copy_and_no_byte_is_mixed() {
    let bench = Bench::new();
    let (id, path) = bench.transcript("shared").await;
    let one = bench.store();
    one.go_on(id.clone(), false);
    one.settled().await;
    assert!(bench.library().list()[0].in_use);
    bench.told();
    let other = bench.store();
    other.go_on(id.clone(), false);
    other.settled().await;
    for number in 0..20 {
        one.append(said(&format!("one {number} {}", "x".repeat(2_000))));
        other.append(said(&format!("other {number} {}", "y".repeat(2_000))));
    }
    one.settled().await;
    other.settled().await;
    let forked = bench.told().into_iter().find_map(|told| {
        let News::Forked { from, to, .. } = told else {
            return None;
        };
        Some((from, to))
    });
    let (from, to) = forked.expect("a copy");
    assert_eq!(from, id);
    assert!(!fs::read_to_string(&path).unwrap().contains("other "));
    assert_eq!(bench.texts(&id).len(), 21);
    assert_eq!(bench.texts(&to).len(), 21);
    assert_eq!(bench.texts(&to)[0], "shared");
    let began = fs::read_to_string(bench.library().path(&to).unwrap()).unwrap();
    assert!(
        began
            .lines()
            .next()
            .unwrap()
            .contains(&format!("\"forked_from\":\"{id}\""))
    );
}

#[tokio::test]
async fn a_copy_keeps_records_of_a_newer_version() {
    let bench = Bench::new();
    let (id, path) = bench.transcript("first").await;
    let newer = "{\"v\":9,\"id\":\"n\",\"kind\":\"hologram\",\"x\":1.50}\n";
    File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .write_all(newer.as_bytes())
        .unwrap();
    let store = bench.store();
    store.go_on(id, true);
    store.append(cut());
    store.settled().await;
    let copy = bench
        .library()
        .list()
        .into_iter()
        .find(|summary| summary.in_use)
        .unwrap();
    let bytes = fs::read_to_string(bench.library().path(&copy.id).unwrap()).unwrap();
    assert!(bytes.contains(newer), "{bytes}");
}

#[tokio::test]
async fn a_lock_ends_with_its_holder() {
    let bench = Bench::new();
    let (id, _) = bench.transcript("first").await;
    // Nothing but the open file is the lock, so none can be left behind.
    assert!(
        all_below(&bench.data())
            .iter()
            .all(|path| path.is_dir() || path.extension().is_some_and(|e| e == "jsonl"))
    );
    let store = bench.store();
    store.go_on(id.clone(), false);
    store.settled().await;
    assert_eq!(bench.told(), [News::Opened(id)]);
}

#[tokio::test]
async fn what_is_no_transcript_is_passed_over() {
    let bench = Bench::new();
    let (id, path) = bench.transcript("мой-проект \u{1b}[31m ../x").await;
    let folder = path.parent().unwrap();
    fs::create_dir(folder.join("x.jsonl")).unwrap();
    let fifo = std::process::Command::new("mkfifo")
        .arg(folder.join("pipe.jsonl"))
        .status();
    assert!(fifo.unwrap().success());
    symlink("/nowhere", folder.join("dangling.jsonl")).unwrap();
    symlink(&path, folder.join("linked.jsonl")).unwrap();
    fs::write(folder.join("foreign.jsonl"), "{\"type\":\"summary\"}\n").unwrap();
    fs::write(folder.join("foreign.json"), "{}").unwrap();
    fs::write(folder.join(".DS_Store"), "x").unwrap();
    fs::write(bench.data().join("transcripts/x.jsonl"), "x").unwrap();
    symlink("/etc", bench.data().join("transcripts/2024")).unwrap();
    let unreadable = folder.join("unreadable.jsonl");
    fs::write(&unreadable, "").unwrap();
    fs::set_permissions(&unreadable, Permissions::from_mode(0o0)).unwrap();
    let list = bench.library().list();
    let listed: Vec<(&TranscriptId, &str)> =
        list.iter().map(|s| (&s.id, s.title.as_str())).collect();
    assert_eq!(listed, [(&id, "мой-проект [31m ../x")]);
}

#[tokio::test]
async fn odd_names_make_each_a_file_of_their_own() {
    let bench = Bench::new();
    let names = [
        "мой-проект",
        "проект мой",
        "TEST",
        "test",
        "../x",
        "a/b",
        ".",
        "con",
        "-rf",
        "🌊",
        "a\nb",
        "\0",
    ];
    for name in names {
        let store = bench.store();
        store.append(record(Body::Titled(name.into())));
        store.append(said(name));
        store.settled().await;
    }
    let list = bench.library().list();
    assert_eq!(list.len(), names.len());
    for name in names {
        assert!(list.iter().any(|summary| summary.title == name), "{name}");
    }
    let lines = report::list(&bench.library());
    assert!(
        lines
            .iter()
            .all(|line| !line.contains(|c: char| c.is_control()))
    );
}

#[tokio::test]
async fn nothing_is_written_through_a_planted_link() {
    let bench = Bench::new();
    let victim = bench.home.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    let (id, path) = bench.transcript("first").await;
    for plant in [
        (|from: &Path, to: &Path| symlink(from, to).unwrap()) as fn(&Path, &Path),
        |from, to| fs::hard_link(from, to).unwrap(),
    ] {
        fs::remove_file(&path).unwrap();
        plant(&victim, &path);
        let store = bench.store();
        store.go_on(id.clone(), false);
        store.append(said("through the link"));
        store.settled().await;
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        let told = bench.told();
        assert!(
            told.iter().any(|told| matches!(told, News::SaveFailed(_))),
            "{told:?}"
        );
    }
    // A folder that is a link is refused as well.
    let elsewhere = bench.home.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::remove_dir_all(bench.data().join("transcripts")).unwrap();
    symlink(&elsewhere, bench.data().join("transcripts")).unwrap();
    let store = bench.store();
    store.append(said("into the link"));
    store.settled().await;
    assert_eq!(all_below(&elsewhere), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn data_itself_may_be_a_link_and_stays_one() {
    let bench = Bench::new();
    let real = bench.home.path().join("real");
    fs::create_dir(&real).unwrap();
    symlink(&real, bench.data()).unwrap();
    bench.transcript("hello").await;
    assert!(fs::symlink_metadata(bench.data()).unwrap().is_symlink());
    assert_eq!(mode(&real), 0o700);
    assert_eq!(all_below(&real).len(), 4);
}

#[tokio::test]
async fn what_the_disk_refused_is_saved_when_it_recovers_and_told_once() {
    let bench = Bench::new();
    // A file where the folder should be: nothing can be created below it.
    fs::create_dir_all(bench.data()).unwrap();
    fs::write(bench.data().join("transcripts"), "in the way").unwrap();
    let store = bench.store();
    store.append(said("one"));
    store.settled().await;
    store.append(said("two"));
    store.settled().await;
    let told = bench.told();
    assert!(
        matches!(&told[..], [News::SaveFailed(text)] if text.contains("goes on in memory")),
        "{told:?}"
    );
    fs::remove_file(bench.data().join("transcripts")).unwrap();
    store.append(said("three"));
    store.settled().await;
    let id = bench.library().list()[0].id.clone();
    assert_eq!(bench.texts(&id), ["one", "two", "three"]);
    assert_eq!(bench.told(), [News::Opened(id), News::SavedAgain]);
}

#[tokio::test]
async fn a_transcript_is_found_by_its_folder_and_by_a_part_of_its_id() {
    let bench = Bench::new();
    let (id, path) = bench.transcript("hello").await;
    let library = bench.library();
    assert_eq!(
        library.newest_in("/work").map(|summary| summary.id),
        Some(id.clone())
    );
    assert_eq!(library.newest_in("/other"), None);
    assert_eq!(library.find(id.as_str().get(..13).unwrap()), Ok(id.clone()));
    assert_eq!(library.find(id.as_str().get(24..).unwrap()), Ok(id.clone()));
    assert_eq!(library.find("nope"), Err(FindError::None("nope".into())));
    assert_eq!(
        report::path(&library, Some(id.as_str())),
        Ok(path.display().to_string())
    );
    let shown = report::show(&library, id.as_str()).unwrap().join("\n");
    assert!(
        shown.contains("hello") && shown.contains("folder: /work"),
        "{shown}"
    );
}

#[tokio::test]
async fn a_new_transcript_gets_a_file_of_its_own() {
    let bench = Bench::new();
    let store = bench.store();
    store.append(said("one"));
    store.begin();
    store.append(said("two"));
    store.settled().await;
    assert_eq!(bench.library().list().len(), 2);
}
