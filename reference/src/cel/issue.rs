//! Errors of a compilation, in the format of kube-apiserver.

use std::fmt::Write as _;

/// An error at a position of the text, in characters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Issue {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Issue {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }

    pub(super) fn syntax(at: usize, detail: &str) -> Self {
        Self::new(at, format!("Syntax error: {detail}"))
    }
}

/// The most errors in a description, and the longest line that it shows, in bytes: as in cel-go.
const MOST_ISSUES: usize = 100;
const LONGEST_LINE: usize = 16_384;

/// The errors with the lines that they are in.
pub(crate) fn describe(text: &str, issues: &[Issue]) -> String {
    let mut all = String::new();
    for issue in issues.iter().take(MOST_ISSUES) {
        if !all.is_empty() {
            all.push('\n');
        }
        let before: String = text.chars().take(issue.at).collect();
        let line = before.matches('\n').count();
        let column = before.chars().rev().take_while(|next| *next != '\n').count();
        let _ = write!(all, "ERROR: <input>:{}:{}: {}", line + 1, column + 1, issue.message);
        let source = text.lines().nth(line).unwrap_or_default();
        if source.len() <= LONGEST_LINE {
            let _ = write!(all, "\n | {source}\n | {}^", ".".repeat(column));
        }
    }
    all
}
