//! A09: temporary errors are tried again a bounded number of times, with the reason on the screen.

use std::time::{Duration, Instant};

use crate::support::person::ESC;
use crate::support::reply::{Reply, say};
use crate::support::run::{Run, Stage};

fn overloaded() -> Reply {
    Reply::error(529, "overloaded_error", "Overloaded")
}

fn limited(seconds: &str) -> Reply {
    Reply::error(429, "rate_limit_error", "Slow down").with("retry-after", seconds)
}

fn asked(script: Vec<Reply>) -> Run {
    let mut run = Stage::new(script).start(&[]);
    run.ready();
    run.say("go");
    run.stage.api.wait_for(1);
    run
}

#[test]
fn overload_is_shown_with_its_attempt_waits_longer_each_time_and_esc_gives_up_at_once() {
    let mut run = Stage::new([]).start(&[]);
    run.stage.api.always(overloaded());
    run.ready();
    run.say("go");
    run.pty.wait_until("the reason", |screen| {
        screen.to_lowercase().contains("overloaded")
    });
    run.type_text("draft");
    let times: Vec<Instant> = run
        .stage
        .api
        .wait_for(3)
        .iter()
        .map(|request| request.at)
        .collect();
    assert!(
        times[2] - times[1] > times[1] - times[0],
        "the delays do not grow: {times:?}"
    );
    run.pty.send(ESC);
    run.pause(Duration::from_secs(1));
    let after = run.stage.api.requests().len();
    run.pause(Duration::from_secs(5));
    assert_eq!(run.stage.api.requests().len(), after, "attempts after Esc");
    run.pty.wait_for("draft");
    run.finish();
}

#[test]
fn overload_without_end_ends_the_one_shot_run_with_75() {
    let stage = Stage::new([]).variable("KEYTIDE_TEST_WAIT", "60");
    stage.api.always(overloaded());
    let output = stage.run(&["-p", "go"], "");
    assert_eq!(output.code, Some(75), "{output:?}");
    assert!(
        (2..=12).contains(&stage.api.requests().len()),
        "{}",
        stage.api.requests().len()
    );
}

#[test]
fn a_rate_limit_is_not_asked_again_before_its_time() {
    let mut run = asked(vec![limited("3"), say("okay now")]);
    let requests = run.stage.api.wait_for(2);
    assert!(requests[1].at - requests[0].at >= Duration::from_secs(3));
    run.pty.wait_for("okay now");
    run.finish();
}

#[test]
fn a_rate_limit_of_a_day_is_told_and_can_be_given_up() {
    let mut run = asked(vec![limited("86400"), say("okay now")]);
    run.pty.wait_until("the limit", |screen| {
        let screen = screen.to_lowercase();
        screen.contains("rate limit") || screen.contains("429")
    });
    run.pty.send(ESC);
    run.pty.settle();
    run.say("more");
    run.pty.wait_for("okay now");
    run.finish();
}

/// An error that can't go away by itself: shown, and asked once only.
fn is_asked_once(reply: Reply, told: &str) {
    let mut run = asked(vec![reply]);
    run.pty.wait_until(told, |screen| screen.contains(told));
    run.pause(Duration::from_secs(3));
    assert_eq!(run.stage.api.requests().len(), 1);
    run.finish();
}

#[test]
fn a_wrong_key_is_not_tried_again() {
    is_asked_once(
        Reply::error(401, "authentication_error", "invalid x-api-key"),
        "401",
    );
}

#[test]
fn a_request_that_the_service_refuses_is_not_tried_again() {
    is_asked_once(
        Reply::error(400, "invalid_request_error", "odd thing"),
        "odd thing",
    );
}

#[test]
fn a_page_of_a_proxy_becomes_a_readable_error() {
    let page =
        b"<html><head><title>502 Bad Gateway</title></head><body>\x1b]0;evil\x07</body></html>";
    let mut run = Stage::new([]).start(&[]);
    run.stage.api.always(Reply::other(502, "text/html", page));
    run.ready();
    run.say("go");
    run.pty.wait_for("502");
    run.pty.send(ESC);
    run.pty.settle();
    assert!(!run.all_screens().contains("<html"), "{}", run.pty.screen());
    let log = run.pty.log();
    assert!(
        !log.windows(9).any(|window| window == b"\x1b]0;evil\x07"),
        "an escape came through"
    );
    run.finish();
}
