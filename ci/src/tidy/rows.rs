//! The rows of suites as text: the function of a scenario has the name of the clause in a failure.
//!
//! `rows![rv_is_string]` takes the clause from the function's name. This check covers `row!("clause", function)`, for a
//! clause that is equal to another one.

use std::collections::BTreeSet;

use super::Finding;
use super::code::is_word;
use super::tree::Tree;

/// The invariant.
pub(crate) const SENTENCE: &str =
    "the function of a scenario is named after a clause: `rv_is_string` tests `rv-is-string`";

const FOLDER: &str = "suites/src/";
const CLAUSES: &str = "suites/clauses/";
const ROW: &str = "row!(";

/// Finds rows whose function has no clause's name. One function may test two equal clauses.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let texts = |folder: &'static str| {
        let files = tree.files().filter(move |(path, _)| path.starts_with(folder));
        files.map(|(path, file)| (path, file.text.as_str()))
    };
    let ids: BTreeSet<String> = texts(CLAUSES).flat_map(|(_, text)| ids(text)).collect();
    let rows = texts(FOLDER).flat_map(|(path, text)| rows(text).map(move |row| (path, row)));
    let misnamed = rows.filter(|(_, row)| !ids.contains(row.function));
    let finding = |(path, row): (&str, Row)| {
        Finding::at(path, row.line, format!("the function of `{}` is `{}`", row.clause, row.function))
    };
    misnamed.map(finding).collect()
}

/// The ids of a clause file as function names.
fn ids(text: &str) -> impl Iterator<Item = String> {
    let ids = text.lines().filter_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"'));
    ids.map(|id| id.replace('-', "_"))
}

/// `row!("clause", function)`.
struct Row<'a> {
    line: usize,
    clause: &'a str,
    function: &'a str,
}

fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let calls = text.match_indices(ROW).filter(|(at, _)| !text[..*at].ends_with(is_word));
    calls.filter_map(|(at, _)| {
        let (clause, rest) = text[at + ROW.len()..].trim_start().strip_prefix('"')?.split_once('"')?;
        let function = rest.strip_prefix(',')?.trim_start();
        let end = function.find([',', ')'])?;
        let line = text[..at].matches('\n').count() + 1;
        Some(Row { line, clause, function: function[..end].trim_end() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let clauses = ("suites/clauses/gone.toml", "[[clause]]\nid = \"rv-a\"\n");
        find(&Tree::of(&[clauses, ("suites/src/gone.rs", text)])).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn functions_with_the_name_of_a_clause_pass() {
        assert_eq!(
            found("vec![row!(rv_a), row!(\"concurrency-a\", rv_a), row!(\n\"rv-c\",\nrv_a,\n)]"),
            [""; 0]
        );
        assert_eq!(found("let borrow = throw!(\"rv-a\", rv_b);"), [""; 0]);
    }

    #[test]
    fn a_function_with_another_name_is_found_with_its_line() {
        let expected = ["suites/src/gone.rs:2: the function of `rv-a` is `it_is_old`"];
        assert_eq!(found("vec![\n    row!(\"rv-a\", it_is_old),"), expected);
    }
}
