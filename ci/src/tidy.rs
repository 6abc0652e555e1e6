//! `cargo ci tidy`: the invariants of the code base, as small functions over a tree of files.
//!
//! A check reads only the tree of files, so that its tests can show it a faulty tree. `ARCHITECTURE.md` refers to a
//! check as `tidy: name`, and one of the checks verifies these names.

mod architecture;
mod arrows;
mod circles;
mod clauses;
mod code;

mod imports;
mod links;
mod manifest;
mod rows;
mod shape;
mod text;
mod tree;
mod vocabulary;
mod words;

use std::fmt;

use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;
use tree::Tree;

/// One invariant, with the function that looks for breaches.
pub(crate) struct Check {
    /// The name in `ARCHITECTURE.md`.
    name: &'static str,
    /// The invariant.
    sentence: &'static str,
    /// Finds the places that break it.
    find: fn(&Tree) -> Vec<Finding>,
}

/// A place that breaks an invariant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl Finding {
    /// A finding on a line, counted from 1.
    fn at(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.into(), line, what: what.into() }
    }

    /// A finding for a whole file.
    fn of(path: &str, what: impl Into<String>) -> Self {
        Self::at(path, 1, what)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// All invariants.
const CHECKS: &[Check] = &[
    Check { name: "arrows", sentence: arrows::SENTENCE, find: arrows::find },
    Check { name: "circles", sentence: circles::SENTENCE, find: circles::find },
    Check { name: "goose", sentence: words::LOAD_ENGINE.sentence, find: words::load_engine },
    Check { name: "http", sentence: words::HTTP_LIBRARY.sentence, find: words::http_library },
    Check { name: "replay", sentence: words::REPLAY.sentence, find: words::replay },
    Check { name: "wire", sentence: words::WIRE.sentence, find: words::wire },
    Check { name: "shape", sentence: shape::SENTENCE, find: shape::find },
    Check { name: "lints", sentence: manifest::SENTENCE, find: manifest::lints },
    Check { name: "clauses", sentence: clauses::SENTENCE, find: clauses::find },
    Check { name: "rows", sentence: rows::SENTENCE, find: rows::find },
    Check { name: "links", sentence: links::SENTENCE, find: links::find },
    Check { name: "text", sentence: text::SENTENCE, find: text::find },
    Check { name: "vocabulary", sentence: vocabulary::SENTENCE, find: vocabulary::find },
    Check { name: "architecture", sentence: architecture::SENTENCE, find: architecture::find },
];

/// Runs every check on the repository and prints all findings.
pub(crate) fn run(workspace: &Workspace) -> Result<Notices, TaskError> {
    let tree = Tree::read(&workspace.root)?;
    let mut count = 0;
    for check in CHECKS {
        let findings = (check.find)(&tree);
        count += findings.len();
        if !findings.is_empty() {
            println!("tidy: {}: {}", check.name, check.sentence);
        }
        for finding in findings {
            println!("  {finding}");
        }
    }
    if count > 0 {
        return Err(TaskError::new(format!("the code base breaks its invariants in {count} place(s)")));
    }
    println!("{} files keep {} invariants.", tree.len(), CHECKS.len());
    Ok(Notices::new())
}

/// Prints the names for `ARCHITECTURE.md`.
#[expect(clippy::unnecessary_wraps, reason = "every task has the same shape")]
pub(crate) fn list() -> Result<Notices, TaskError> {
    for check in CHECKS {
        println!("{:<12} {}", check.name, check.sentence);
    }
    Ok(Notices::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_passes_an_empty_tree() {
        let tree = Tree::of(&[]);

        for check in CHECKS {
            assert_eq!((check.find)(&tree), [], "{}", check.name);
        }
    }

    #[test]
    fn a_finding_starts_with_path_and_line() {
        let finding = Finding::at("suites/src/lib.rs", 7, "too bad");

        assert_eq!(finding.to_string(), "suites/src/lib.rs:7: too bad");
    }
}
