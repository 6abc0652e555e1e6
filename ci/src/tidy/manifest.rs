//! The packages of the workspace, from their manifests.

use toml::{Table, Value};

use super::Finding;
use super::tree::Tree;

/// The invariant.
pub(crate) const SENTENCE: &str = "every package of the workspace inherits the workspace's lints";

/// A package with its dependencies.
#[derive(Debug)]
pub(crate) struct Package {
    /// The path of the manifest.
    pub(crate) path: String,
    pub(crate) name: String,
    /// The dependencies and build dependencies, by package name.
    pub(crate) uses: Vec<String>,
    /// The development dependencies.
    pub(crate) tested_with: Vec<String>,
    inherits_lints: bool,
}

/// Every package with a valid manifest. Cargo itself rejects the others.
pub(crate) fn packages(tree: &Tree) -> Vec<Package> {
    let manifests = tree.files().filter(|(path, _)| path.rsplit('/').next() == Some("Cargo.toml"));
    manifests.filter_map(|(path, file)| package(path, &file.text)).collect()
}

/// Finds packages without the workspace's lints.
pub(crate) fn lints(tree: &Tree) -> Vec<Finding> {
    let bare = packages(tree).into_iter().filter(|package| !package.inherits_lints);
    bare.map(|package| Finding::of(&package.path, "lacks `[lints] workspace = true`")).collect()
}

fn package(path: &str, text: &str) -> Option<Package> {
    let manifest: Table = text.parse().ok()?;
    let name = manifest.get("package")?.get("name")?.as_str()?.to_string();
    let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
    Some(Package {
        path: path.into(),
        name,
        uses: dependencies(&manifest, &["dependencies", "build-dependencies"]),
        tested_with: dependencies(&manifest, &["dev-dependencies"]),
        inherits_lints: lints == Some(&Value::Boolean(true)),
    })
}

/// The dependencies in the given sections, including platform-specific ones.
fn dependencies(manifest: &Table, sections: &[&str]) -> Vec<String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let tables: Vec<&Table> = std::iter::once(manifest).chain(targets).collect();
    let found = tables.iter().flat_map(|table| sections.iter().filter_map(|section| table.get(*section)));
    found.filter_map(Value::as_table).flat_map(Table::iter).map(true_name).collect()
}

/// The package name of a renamed dependency.
fn true_name((key, specification): (&String, &Value)) -> String {
    specification.get("package").and_then(Value::as_str).unwrap_or(key).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_found_in_all_sections_and_by_package_name() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nb = \"1\"\nbird = { package = \"goose\" }\n\
                        [target.'cfg(unix)'.build-dependencies]\nc = \"1\"\n[dev-dependencies]\nd = \"1\"\n";

        let package = package("a/Cargo.toml", manifest).expect("a package");

        assert_eq!(package.uses, ["b", "goose", "c"]);
        assert_eq!(package.tested_with, ["d"]);
    }

    #[test]
    fn a_package_without_the_workspaces_lints_is_found() {
        let tree = Tree::of(&[
            ("a/Cargo.toml", "[package]\nname = \"a\"\n[lints]\nworkspace = true\n"),
            ("b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n"),
        ]);

        let findings = lints(&tree);

        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "b/Cargo.toml");
    }
}
