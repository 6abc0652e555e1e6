//! File sizes and names.

use super::Finding;
use super::tree::{Tree, is_rust, stem};

/// The invariant.
pub(crate) const SENTENCE: &str =
    "no Rust file has more than 400 lines, and no file or folder is called util, helpers, common or misc";

const MOST_LINES: usize = 400;

/// Names that describe no content.
const VAGUE_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc"];

/// Finds long files and vague names.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    let long = tree.rust().filter_map(|(path, file)| too_long(path, &file.text));
    let vague = tree.files().filter_map(|(path, _)| vague_name(path));
    long.chain(vague).collect()
}

fn too_long(path: &str, text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    (lines > MOST_LINES).then(|| Finding::at(path, MOST_LINES + 1, format!("has {lines} lines: split it")))
}

fn vague_name(path: &str) -> Option<Finding> {
    let folders = path.split('/').rev().skip(1);
    let own = is_rust(path).then(|| stem(path));
    let name = folders.chain(own).find(|name| VAGUE_NAMES.contains(name))?;
    Some(Finding::of(path, format!("`{name}` is vague: name it after its content")))
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
    fn vague_names_are_found_in_files_and_folders() {
        let tree =
            Tree::of(&[("src/util.rs", ""), ("suites/tests/common/mod.rs", ""), ("src/commons.rs", "")]);

        let paths: Vec<String> = find(&tree).into_iter().map(|finding| finding.path).collect();

        assert_eq!(paths, ["src/util.rs", "suites/tests/common/mod.rs"]);
    }
}
