//! The clause files, by their text: the suites' own tests look deeper.

use std::collections::HashMap;

use toml::{Table, Value};

use super::Finding;
use super::tree::{Tree, stem};

/// What [`find`] demands.
pub(crate) const SENTENCE: &str = "every clause file parses and states its own area, and clause ids are unique and begin like their area's others";

const FOLDER: &str = "suites/clauses/";

/// Finds clauses that could not be told apart, or that stand in the wrong file.
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

/// What earlier files have claimed.
#[derive(Default)]
struct Seen {
    /// Every id, with the file it stands in.
    ids: HashMap<String, String>,
    /// The first word of ids, with the first word of the areas that use it.
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
        let what =
            twice(id, path, seen).or_else(|| stranger(id, path, seen)).or_else(|| levelless(id, clause));
        findings.extend(what.map(|what| Finding::at(path, line_of(id, text), what)));
    }
}

fn twice(id: &str, path: &str, seen: &mut Seen) -> Option<String> {
    let first = seen.ids.insert(id.into(), path.into())?;
    Some(format!("`{id}` also stands in {first}"))
}

/// `gone-…` among the clauses of `watch`: areas that share the first word of their ids share their own.
fn stranger(id: &str, path: &str, seen: &mut Seen) -> Option<String> {
    let family = first_word(stem(path));
    let owner = seen.families.entry(first_word(id).into()).or_insert_with(|| family.into());
    (owner != family).then(|| format!("`{id}` begins like the clauses of `{owner}`"))
}

fn levelless(id: &str, clause: &Value) -> Option<String> {
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
    fn an_id_that_stands_twice_is_found_with_its_line() {
        let twice = format!("{GONE}[[clause]]\nid = \"gone-a\"\nlevel = \"may\"\n");

        assert_eq!(
            found(&[("suites/clauses/gone.toml", &twice)]),
            ["suites/clauses/gone.toml:3: `gone-a` also stands in suites/clauses/gone.toml"]
        );
    }

    #[test]
    fn an_id_that_begins_like_another_areas_is_found() {
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
