//! Circles of imports: files in a circle cannot be read or changed on their own.

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::imports::Modules;
use super::tree::Tree;

/// The invariant.
pub(crate) const SENTENCE: &str = "no circle of imports in the crates of harness is larger than two files";

/// The crates without larger circles.
const CRATES: [&str; 4] =
    ["harness/checkers/src/", "harness/model/src/", "harness/run/src/", "harness/target/src/"];

/// The maximum number of files in a circle.
const MAX_FILES: usize = 2;

pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    CRATES.into_iter().flat_map(|source| circles(tree, source)).collect()
}

fn circles(tree: &Tree, source: &str) -> Vec<Finding> {
    let files = tree.rust().filter_map(|(path, file)| Some((path.strip_prefix(source)?, file)));
    let files = files.filter(|(path, _)| !path.contains("tests"));
    let arrows = Modules::of(files.map(|(path, file)| (path, file.product.as_str()))).arrows();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|from| (from.as_str(), reachable(&arrows, from))).collect();
    let mut circles = BTreeSet::new();
    for (from, others) in &reached {
        let back = others.iter().copied().filter(|other| reached[other].contains(from));
        circles.insert(back.collect::<Vec<&str>>());
    }
    let large = circles.into_iter().filter(|circle| circle.len() > MAX_FILES);
    large.map(|circle| Finding::of(source, format!("import each other: {}", circle.join(", ")))).collect()
}

/// The files that a file imports, directly or indirectly.
fn reachable<'a>(arrows: &'a BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&str> = arrows[from].iter().map(String::as_str).collect();
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(arrows[file].iter().map(String::as_str));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        find(&Tree::of(files)).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn three_files_that_import_each_other_are_found() {
        let files = [
            ("harness/run/src/a.rs", "use crate::b::B;"),
            ("harness/run/src/b.rs", "use crate::c::C;"),
            ("harness/run/src/c.rs", "fn f() { crate::a::f() }"),
            ("harness/run/src/d.rs", "use crate::a::A;"),
        ];
        assert_eq!(found(&files), ["import each other: a, b, c"]);
    }

    #[test]
    fn circles_of_two_pass_and_tests_do_not_count() {
        let files = [
            ("harness/model/src/a.rs", "use crate::b::B;\n#[cfg(test)]\nmod tests { use crate::c::C; }"),
            ("harness/model/src/b.rs", "use crate::a::A;"),
            ("harness/model/src/c.rs", "use crate::a::A;"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }
}
