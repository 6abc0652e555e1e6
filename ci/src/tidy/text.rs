//! Careless mistakes in committed texts.

use std::path::Path;

use super::Finding;
use super::tree::{Tree, is_rust};

/// The invariant.
pub(crate) const SENTENCE: &str =
    "no committed text has trailing whitespace, conflict markers, marks of unfinished work, or debug prints";

/// In halves, so that this file passes its own check.
const UNFINISHED: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

/// The debug macro of the standard library.
const DEBUG_PRINT: &str = "dbg!";

/// Finds the mistakes, with their lines.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, file) in tree.files() {
        for (number, line) in file.text.lines().enumerate() {
            let what = mistake(path, line);
            findings.extend(what.map(|what| Finding::at(path, number + 1, what)));
        }
        if is_rust(path) {
            let prints = file.code.lines().enumerate().filter(|(_, line)| line.contains(DEBUG_PRINT));
            findings.extend(prints.map(|(number, _)| Finding::at(path, number + 1, "prints for debugging")));
        }
    }
    findings
}

fn mistake(path: &str, line: &str) -> Option<String> {
    if line.ends_with([' ', '\t']) && !is_snapshot(path) {
        return Some("ends in whitespace".into());
    }
    if is_conflict_marker(line) {
        return Some("is a conflict marker".into());
    }
    let word = |mark: &&&str| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == **mark);
    UNFINISHED.iter().find(word).map(|mark| format!("has {mark}: do it, or file it"))
}

/// Snapshots contain exact output, with trailing spaces.
fn is_snapshot(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "snap")
        || path.split('/').any(|folder| folder == "snapshots" || folder == "golden")
}

fn is_conflict_marker(line: &str) -> bool {
    let marks = ["<<<<<<<", "|||||||", ">>>>>>>"];
    line == "======="
        || marks.iter().any(|mark| line.strip_prefix(mark).is_some_and(|rest| rest.starts_with(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        find(&Tree::of(&[(path, text)])).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn trailing_whitespace_is_found_except_in_snapshots() {
        assert_eq!(found("README.md", "fine\nnot fine \n"), ["ends in whitespace"]);
        assert_eq!(found("reports/tests/snapshots/table.snap", "as printed \n"), [""; 0]);
    }

    #[test]
    fn conflict_markers_are_found() {
        let text = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n";

        assert_eq!(found("README.md", text).len(), 3);
        assert_eq!(found("README.md", "a >>>>>>> b\n========\n"), [""; 0]);
    }

    #[test]
    fn marks_of_unfinished_work_are_found_as_words() {
        let text = format!("// {}: later\n// {}S of others\n", UNFINISHED[0], UNFINISHED[0]);

        assert_eq!(found("src/main.rs", &text).len(), 1);
        assert_eq!(found("README.md", &format!("({})", UNFINISHED[1])).len(), 1);
    }

    #[test]
    fn debug_prints_are_found_in_code_only() {
        assert_eq!(found("src/main.rs", "fn main() { dbg!(1); }").len(), 1);
        assert_eq!(found("src/main.rs", "// no dbg! here"), [""; 0]);
    }
}
