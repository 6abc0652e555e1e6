//! The rows of suites, by their text: the function of a scenario is found by the id that a failure prints.

use std::collections::BTreeSet;

use super::Finding;
use super::code::is_word;
use super::tree::Tree;

/// What [`find`] demands.
pub(crate) const SENTENCE: &str =
    "the function of a scenario is named after its clause: `rv_is_string` tests `rv-is-string`";

const FOLDER: &str = "suites/src/";
const ROW: &str = "row(";

/// Finds rows whose function has another name. One function may test two clauses that say the same.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let suites = tree.files().filter(|(path, _)| path.starts_with(FOLDER));
    let rows: Vec<(&str, Row)> =
        suites.flat_map(|(path, file)| rows(&file.text).map(move |row| (path, row))).collect();
    let names: BTreeSet<String> = rows.iter().map(|(_, row)| row.clause.replace('-', "_")).collect();
    let misnamed = rows.iter().filter(|(_, row)| !names.contains(row.function));
    let finding = |(path, row): &(&str, Row)| {
        Finding::at(path, row.line, format!("the function of `{}` is `{}`", row.clause, row.function))
    };
    misnamed.map(finding).collect()
}

/// `row("clause", function)`.
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
        find(&Tree::of(&[("suites/src/gone.rs", text)])).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn functions_of_the_name_of_their_clause_pass() {
        let rows = "vec![row(\"rv-a\", rv_a).also(\"rv-b\"),\n row(\n\"rv-c\",\nrv_c,\n)]";
        assert_eq!(found(rows), [""; 0]);
        assert_eq!(found("vec![row(\"rv-a\", rv_a), row(\"concurrency-a\", rv_a)]"), [""; 0]);
        assert_eq!(found("let borrow = throw(\"rv-a\", rv_b);"), [""; 0]);
    }

    #[test]
    fn a_function_of_another_name_is_found_with_its_line() {
        let expected = ["suites/src/gone.rs:2: the function of `rv-a` is `it_is_old`"];
        assert_eq!(found("vec![\n    row(\"rv-a\", it_is_old),"), expected);
        assert_eq!(found("vec![row(\"rv-a\", |cx| ask(cx, 1))]").len(), 1);
    }
}
