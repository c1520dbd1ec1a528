//! What is wrong with a configuration file, with the line.

use std::fmt;

/// Everything that is wrong with one file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// The file, as the person knows it.
    pub file: String,
    /// At least one problem, in the order of the lines.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what would be right. Never quotes a value that may be secret.
    pub text: String,
}

impl fmt::Display for ConfigError {
    /// One line a problem: `FILE:LINE: what is wrong`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{}:{}: {}", self.file, problem.line, problem.text)?;
        }
        Ok(())
    }
}
