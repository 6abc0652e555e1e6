//! The checks that `ARCHITECTURE.md` refers to exist.

use super::tree::Tree;
use super::{CHECKS, Finding};

/// What [`find`] demands.
pub(crate) const SENTENCE: &str = "every check that ARCHITECTURE.md refers to as `tidy: name` exists";

const FILE: &str = "ARCHITECTURE.md";

/// Finds promises that nothing keeps.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let text = tree.text(FILE).unwrap_or_default();
    let promises = text
        .lines()
        .enumerate()
        .flat_map(|(number, line)| promised(line).into_iter().map(move |name| (number + 1, name)));
    let broken = promises.filter(|(_, name)| !CHECKS.iter().any(|check| check.name == *name));
    broken.map(|(line, name)| Finding::at(FILE, line, format!("there is no check `{name}`"))).collect()
}

/// The names in all `tidy: name` of a line.
fn promised(line: &str) -> Vec<&str> {
    let starts = line.split("`tidy: ").skip(1);
    starts.filter_map(|rest| rest.split_once('`')).map(|(name, _)| name.trim()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_exists_may_be_promised() {
        let tree = Tree::of(&[(FILE, "Enforced by `tidy: arrows` and `tidy: text`.\n")]);

        assert_eq!(find(&tree), []);
    }

    #[test]
    fn a_check_that_does_not_exist_is_found() {
        let tree = Tree::of(&[(FILE, "# Invariants\n1. `tidy: arrows`, `tidy: no-such-check`\n")]);

        let findings = find(&tree);

        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].to_string(), "ARCHITECTURE.md:2: there is no check `no-such-check`");
    }
}
