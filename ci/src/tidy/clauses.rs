//! The clause files as text: the suites' own tests check more.

use std::collections::HashMap;

use toml::{Table, Value};

use super::Finding;
use super::tree::{Tree, stem};

/// The invariant.
pub(crate) const SENTENCE: &str = "every clause file parses and states its own area, and clause ids are unique and begin like their area's others";

const FOLDER: &str = "suites/clauses/";

/// Finds ambiguous and misplaced clauses.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen = Seen::default();
    for (path, file) in tree.files().filter(|(path, _)| is_clause_file(path)) {
        match file.text.parse::<Table>() {
            Ok(table) => examine(path, &file.text, &table, &mut seen, &mut findings),
            Err(error) => findings.push(Finding::of(path, format!("does not parse: {}", error.message()))),
        }
    }
    findings
}

/// The ids and prefixes of earlier files.
#[derive(Default)]
struct Seen {
    /// Every id, with its file.
    ids: HashMap<String, String>,
    /// The first words of ids, with the first word of their areas.
    families: HashMap<String, String>,
}

fn is_clause_file(path: &str) -> bool {
    path.strip_prefix(FOLDER).is_some_and(|name| name.strip_suffix(".toml").is_some())
}

fn examine(path: &str, text: &str, table: &Table, seen: &mut Seen, findings: &mut Vec<Finding>) {
    if table.get("area").and_then(Value::as_str) != Some(stem(path)) {
        findings.push(Finding::of(path, format!("its area is not `{}`", stem(path))));
    }
    let clauses = table.get("clause").and_then(Value::as_array).into_iter().flatten();
    for clause in clauses {
        let Some(id) = clause.get("id").and_then(Value::as_str) else {
            findings.push(Finding::of(path, "a clause has no id"));
            continue;
        };
        let what = duplicate(id, path, seen)
            .or_else(|| misplaced(id, path, seen))
            .or_else(|| without_level(id, clause));
        findings.extend(what.map(|what| Finding::at(path, line_of(id, text), what)));
    }
}

fn duplicate(id: &str, path: &str, seen: &mut Seen) -> Option<String> {
    let first = seen.ids.insert(id.into(), path.into())?;
    Some(format!("`{id}` is also in {first}"))
}

/// `gone-…` among the clauses of `watch`: areas with a common first word of ids have a common first word of names.
fn misplaced(id: &str, path: &str, seen: &mut Seen) -> Option<String> {
    let family = first_word(stem(path));
    let owner = seen.families.entry(first_word(id).into()).or_insert_with(|| family.into());
    (owner != family).then(|| format!("`{id}` begins like the clauses of `{owner}`"))
}

fn without_level(id: &str, clause: &Value) -> Option<String> {
    let level = clause.get("level").and_then(Value::as_str);
    (!level.is_some_and(|level| ["must", "should", "may"].contains(&level)))
        .then(|| format!("the level of `{id}` is none of must, should, may"))
}

fn first_word(name: &str) -> &str {
    name.split('-').next().unwrap_or(name)
}

fn line_of(id: &str, text: &str) -> usize {
    let quoted = format!("\"{id}\"");
    text.lines().position(|line| line.starts_with("id") && line.ends_with(&quoted)).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        find(&Tree::of(files)).iter().map(Finding::to_string).collect()
    }

    const GONE: &str = "area = \"gone\"\n[[clause]]\nid = \"gone-a\"\nlevel = \"must\"\n";

    #[test]
    fn a_well_formed_file_passes() {
        assert_eq!(found(&[("suites/clauses/gone.toml", GONE)]), [""; 0]);
    }

    #[test]
    fn a_file_that_does_not_parse_is_found() {
        assert!(found(&[("suites/clauses/gone.toml", "area = ")])[0].contains("does not parse"));
    }

    #[test]
    fn a_file_of_another_area_is_found() {
        assert_eq!(
            found(&[("suites/clauses/watch.toml", GONE)]),
            ["suites/clauses/watch.toml:1: its area is not `watch`"]
        );
    }

    #[test]
    fn a_duplicate_id_is_found_with_its_line() {
        let duplicate = format!("{GONE}[[clause]]\nid = \"gone-a\"\nlevel = \"may\"\n");

        assert_eq!(
            found(&[("suites/clauses/gone.toml", &duplicate)]),
            ["suites/clauses/gone.toml:3: `gone-a` is also in suites/clauses/gone.toml"]
        );
    }

    #[test]
    fn an_id_with_the_prefix_of_another_area_is_found() {
        let watch = "area = \"watch\"\n[[clause]]\nid = \"gone-b\"\nlevel = \"must\"\n";

        let found = found(&[("suites/clauses/gone.toml", GONE), ("suites/clauses/watch.toml", watch)]);

        assert_eq!(found, ["suites/clauses/watch.toml:3: `gone-b` begins like the clauses of `gone`"]);
    }

    #[test]
    fn a_clause_without_id_or_level_is_found() {
        let text =
            "area = \"gone\"\n[[clause]]\nlevel = \"must\"\n[[clause]]\nid = \"gone-c\"\nlevel = \"shall\"\n";

        assert_eq!(found(&[("suites/clauses/gone.toml", text)]).len(), 2);
    }
}
