//! The checks that `ARCHITECTURE.md` refers to exist.

use super::tree::Tree;
use super::{CHECKS, Finding};

/// The invariant.
pub(crate) const SENTENCE: &str = "every check that ARCHITECTURE.md refers to as `tidy: name` exists";

const FILE: &str = "ARCHITECTURE.md";

/// Finds references to unknown checks.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let text = tree.text(FILE).unwrap_or_default();
    let references = text
        .lines()
        .enumerate()
        .flat_map(|(number, line)| references(line).into_iter().map(move |name| (number + 1, name)));
    let unknown = references.filter(|(_, name)| !CHECKS.iter().any(|check| check.name == *name));
    unknown.map(|(line, name)| Finding::at(FILE, line, format!("there is no check `{name}`"))).collect()
}

/// The names in all `tidy: name` of a line.
fn references(line: &str) -> Vec<&str> {
    let starts = line.split("`tidy: ").skip(1);
    starts.filter_map(|rest| rest.split_once('`')).map(|(name, _)| name.trim()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_to_a_known_check_passes() {
        let tree = Tree::of(&[(FILE, "Enforced by `tidy: arrows` and `tidy: text`.\n")]);

        assert_eq!(find(&tree), []);
    }

    #[test]
    fn a_reference_to_an_unknown_check_is_found() {
        let tree = Tree::of(&[(FILE, "# Invariants\n1. `tidy: arrows`, `tidy: no-such-check`\n")]);

        let findings = find(&tree);

        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].to_string(), "ARCHITECTURE.md:2: there is no check `no-such-check`");
    }
}
