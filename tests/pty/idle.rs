//! Where nothing moves, nothing is drawn and no time is used.

use std::time::Duration;

use serde_json::Value;

use crate::support::census::cpu_ticks;
use crate::support::run::Stage;

#[test]
fn an_idle_program_with_a_server_writes_nothing_and_uses_no_time() {
    let mut run = Stage::new([]).server("s", Value::Null).start(&[]);
    run.ready();
    run.pause(Duration::from_secs(3));
    let (written, ticks) = (run.pty.log().len(), cpu_ticks(run.pty.pid()));
    run.pause(Duration::from_secs(3));
    assert_eq!(
        run.pty.log().len(),
        written,
        "it draws:\n{}",
        run.pty.screen()
    );
    let used = cpu_ticks(run.pty.pid()) - ticks;
    assert!(used <= 1, "{used} ticks of 10 ms in three idle seconds");
    run.finish();
}
