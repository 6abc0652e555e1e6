//! Which package may depend on which.

use super::Finding;
use super::manifest::{Package, packages};
use super::tree::Tree;

/// The invariant.
pub(crate) const SENTENCE: &str = "the crates depend on each other only as the arrows of the design point, \
                                   and on goose only in loadgen";

/// Our packages, each with its permitted dependencies among them.
///
/// Only the binary may depend on `reference`: code that a suite shares with the server could hide a fault of both.
const ARROWS: &[(&str, &[&str])] = &[
    ("kube-assay", &["harness", "suites", "loadgen", "reports", "reference"]),
    ("suites", &["harness"]),
    ("loadgen", &["harness"]),
    ("reports", &["model"]),
    ("harness", &["checkers", "model", "target"]),
    ("checkers", &["model"]),
    ("target", &["model"]),
    ("model", &[]),
    ("reference", &[]),
    ("ci", &[]),
];

/// The load engine, and the only package that may depend on it.
const LOAD_ENGINE: (&str, &str) = ("goose", "loadgen");

/// Finds dependencies against the arrows.
pub(crate) fn find(tree: &Tree) -> Vec<Finding> {
    packages(tree).iter().flat_map(wrong_arrows).collect()
}

fn wrong_arrows(package: &Package) -> Vec<Finding> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
        let what =
            format!("`{}` is new: add its permitted dependencies to ci/src/tidy/arrows.rs", package.name);
        return vec![Finding::of(&package.path, what)];
    };
    let built = package.uses.iter().filter(|name| is_ours(name) && !allowed.contains(&name.as_str()));
    // Tests of any crate may run against the reference server.
    let tested = package.tested_with.iter().filter(|name| {
        is_ours(name)
            && !allowed.contains(&name.as_str())
            && (*name != "reference" || package.name == "reference")
    });
    let engine = package.uses.iter().chain(&package.tested_with);
    let engine = engine.filter(|name| *name == LOAD_ENGINE.0 && package.name != LOAD_ENGINE.1);
    let forbidden = built.chain(tested).chain(engine);
    forbidden
        .map(|name| Finding::of(&package.path, format!("`{}` must not depend on `{name}`", package.name)))
        .collect()
}

fn is_ours(name: &str) -> bool {
    ARROWS.iter().any(|(ours, _)| *ours == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, sections: &str) -> Vec<String> {
        let manifest = format!("[package]\nname = \"{name}\"\n{sections}");
        let tree = Tree::of(&[("x/Cargo.toml", &manifest)]);
        find(&tree).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn permitted_dependencies_pass() {
        assert_eq!(findings("suites", "[dependencies]\nharness.workspace = true\nserde = \"1\""), [""; 0]);
        assert_eq!(findings("kube-assay", "[dependencies]\nreference = \"1\"\nloadgen = \"1\""), [""; 0]);
        assert_eq!(findings("loadgen", "[dependencies]\ngoose = \"1\""), [""; 0]);
        assert_eq!(findings("reports", "[dependencies]\nmodel.workspace = true"), [""; 0]);
        assert_eq!(findings("harness", "[dependencies]\nmodel = \"1\"\ntarget = \"1\""), [""; 0]);
    }

    #[test]
    fn the_crates_of_harness_depend_on_none_above_or_beside_them() {
        for (name, other) in
            [("model", "target"), ("checkers", "target"), ("target", "harness"), ("target", "checkers")]
        {
            assert_eq!(findings(name, &format!("[dependencies]\n{other} = \"1\"")).len(), 1, "{name}");
        }
    }

    #[test]
    fn harness_depends_on_no_report() {
        let found = findings("harness", "[dependencies]\nreports.workspace = true");

        assert_eq!(found, ["`harness` must not depend on `reports`"]);
    }

    #[test]
    fn suites_and_loadgen_depend_on_harness_alone_and_reports_on_model() {
        assert_eq!(findings("reports", "[dependencies]\nharness = \"1\"").len(), 1);
        assert_eq!(findings("suites", "[dependencies]\nloadgen = \"1\"").len(), 1);
        assert_eq!(findings("reports", "[build-dependencies]\nsuites = \"1\"").len(), 1);
        assert_eq!(findings("loadgen", "[dev-dependencies]\nreports = \"1\"").len(), 1);
    }

    #[test]
    fn only_tests_and_the_binary_depend_on_the_reference() {
        assert_eq!(findings("suites", "[dependencies]\nreference = \"1\"").len(), 1);
        assert_eq!(findings("suites", "[dev-dependencies]\nreference = \"1\"").len(), 0);
        assert_eq!(findings("reference", "[dev-dependencies]\nharness = \"1\"").len(), 1);
    }

    #[test]
    fn only_loadgen_is_built_with_goose() {
        let found = findings("suites", "[dependencies]\nbird = { package = \"goose\", version = \"1\" }");

        assert_eq!(found, ["`suites` must not depend on `goose`"]);
    }

    #[test]
    fn a_new_package_needs_permitted_dependencies() {
        assert_eq!(findings("newcomer", "").len(), 1);
    }
}
