//! Keytide, the program: arguments, configuration, terminal, loop, exit code.

use std::process::ExitCode;

use keytide::cli;
use keytide::run::launch;

fn main() -> ExitCode {
    let invocation = match cli::parse_args(std::env::args_os()) {
        Ok(invocation) => invocation,
        Err(error) => {
            // When even this can't be written there is nobody to tell.
            drop(error.print());
            return ExitCode::from(error.exit_code());
        }
    };
    ExitCode::from(launch::launch(&invocation))
}
