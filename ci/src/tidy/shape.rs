//! Files that are too long to read at one go, or named after nothing.

use super::Finding;
use super::tree::{Tree, is_rust, stem};

/// What [`find`] demands.
pub(crate) const SENTENCE: &str =
    "no file of Rust has more than 400 lines, and no file or folder is called util, helpers, common or misc";

const MOST_LINES: usize = 400;

/// Names under which anything can be put, and is.
const NAMES_OF_NOTHING: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc"];

/// Finds files that outgrew their reader, and names that say nothing.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let long = tree.rust().filter_map(|(path, file)| too_long(path, &file.text));
    let nameless = tree.files().filter_map(|(path, _)| named_after_nothing(path));
    long.chain(nameless).collect()
}

fn too_long(path: &str, text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    (lines > MOST_LINES).then(|| Finding::at(path, MOST_LINES + 1, format!("has {lines} lines: split it")))
}

fn named_after_nothing(path: &str) -> Option<Finding> {
    let folders = path.split('/').rev().skip(1);
    let own = is_rust(path).then(|| stem(path));
    let name = folders.chain(own).find(|name| NAMES_OF_NOTHING.contains(name))?;
    Some(Finding::of(path, format!("`{name}` says nothing: name it after what is in it")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_have_400_lines_and_not_one_more() {
        let (fits, long) = ("a\n".repeat(400), "a\n".repeat(401));

        assert_eq!(find(&Tree::of(&[("src/a.rs", &fits)])), []);
        assert_eq!(find(&Tree::of(&[("src/a.rs", &long)])).len(), 1);
        assert_eq!(find(&Tree::of(&[("suites/clauses/a.toml", &long)])), []);
    }

    #[test]
    fn names_of_nothing_are_found_in_files_and_folders() {
        let tree =
            Tree::of(&[("src/util.rs", ""), ("suites/tests/common/mod.rs", ""), ("src/commons.rs", "")]);

        let paths: Vec<String> = find(&tree).into_iter().map(|finding| finding.path).collect();

        assert_eq!(paths, ["src/util.rs", "suites/tests/common/mod.rs"]);
    }
}
