//! The imports of a Rust file from other files of its crate.

use std::collections::{BTreeMap, BTreeSet};

use super::code::is_word;

/// The modules of one crate with their imports. A key such as `["stream", "write_log"]` is the path; the root is empty.
pub(crate) struct Modules<'a>(BTreeMap<Vec<&'a str>, Imports>);

/// The paths in a file: imports from `crate`, `super` or a child, and re-exports.
#[derive(Default)]
struct Imports {
    named: Vec<String>,
    reexported: BTreeMap<String, String>,
}

impl<'a> Modules<'a> {
    /// Reads the files of a crate: paths below `src/`, each with its code.
    pub(crate) fn of(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self(files.into_iter().map(|(path, code)| (module(path), Imports::of(code))).collect())
    }

    /// The modules that each module imports, except itself and the root of the crate.
    pub(crate) fn arrows(&self) -> BTreeMap<String, BTreeSet<String>> {
        let arrows = self.0.iter().map(|(module, imports)| {
            let named = imports.named.iter().filter_map(|path| self.definer(module, path));
            let others = named.filter(|other| other != module && !other.is_empty());
            (module.join("/"), others.map(|other| other.join("/")).collect())
        });
        arrows.collect()
    }

    /// The module that defines a path: re-exports are followed.
    fn definer(&self, module: &[&'a str], path: &str) -> Option<Vec<&'a str>> {
        let mut parts = path.split("::").peekable();
        let mut at = module.to_vec();
        match *parts.peek()? {
            "crate" => at.clear(),
            "super" => {}
            child => return self.child(&at, child).and_then(|_| self.below(at, parts)),
        }
        while let Some(part) = parts.next_if(|part| ["crate", "super"].contains(part)) {
            if part == "super" {
                at.pop();
            }
        }
        self.below(at, parts)
    }

    fn below<'p>(
        &self,
        mut at: Vec<&'a str>,
        mut parts: std::iter::Peekable<impl Iterator<Item = &'p str>>,
    ) -> Option<Vec<&'a str>> {
        while let Some(child) = parts.peek().and_then(|part| self.child(&at, part)) {
            at = child;
            parts.next();
        }
        let reexported = parts.next().and_then(|name| self.0.get(&at)?.reexported.get(name));
        match reexported {
            Some(path) => self.definer(&at.clone(), path).or(Some(at)),
            None => Some(at),
        }
    }

    fn child(&self, at: &[&'a str], name: &str) -> Option<Vec<&'a str>> {
        let module = self
            .0
            .keys()
            .find(|module| module.split_last().is_some_and(|(last, parents)| *last == name && parents == at));
        module.cloned()
    }
}

impl Imports {
    fn of(code: &str) -> Self {
        let mut imports = Self::default();
        let mut rest = 0;
        for (at, _) in code.match_indices("use ").filter(|(at, _)| !code[..*at].ends_with(is_word)) {
            let Some((tree, _)) = code[at + 4..].split_once(';') else { continue };
            imports.named.extend(code.get(rest..at).into_iter().flat_map(paths));
            rest = at + 4 + tree.len();
            for path in leaves(tree) {
                let name = path.rsplit("::").next().unwrap_or_default().to_owned();
                if is_public(&code[..at]) {
                    imports.reexported.insert(name, path);
                } else {
                    imports.named.push(path);
                }
            }
        }
        imports.named.extend(paths(&code[rest..]));
        imports
    }
}

/// Whether a `use` after this text is a re-export.
fn is_public(before: &str) -> bool {
    let item = before.rsplit([';', '{', '}', '\n']).next().unwrap_or_default();
    item.trim().starts_with("pub")
}

/// The paths in a `use`: `a::{b, c::{d, self}}` has three.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((prefix, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        return vec![path.strip_suffix("::self").unwrap_or(path).to_owned()];
    };
    let body = rest.rsplit_once('}').map_or(rest, |(body, _)| body);
    let mut depth = 0;
    let branches = body.split(|character| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        character == ',' && depth == 0
    });
    let branches = branches.filter(|branch| !branch.trim().is_empty());
    branches.flat_map(|branch| leaves(&format!("{}{}", prefix.trim(), branch.trim()))).collect()
}

/// All paths of at least two parts in a text.
fn paths(code: &str) -> impl Iterator<Item = String> + '_ {
    let words = code.split(|character: char| !is_word(character) && character != ':');
    words.filter(|word| word.contains("::") && !word.starts_with(':')).map(str::to_owned)
}

/// The module of a file: `stream::write_log` for `stream/write_log.rs`, `load` for `load/mod.rs`.
fn module(path: &str) -> Vec<&str> {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Vec::new() } else { path.split('/').collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(files: &[(&'static str, &'static str)]) -> Vec<(String, Vec<String>)> {
        let arrows = Modules::of(files.iter().copied()).arrows().into_iter();
        let some = arrows.filter(|(_, others)| !others.is_empty());
        some.map(|(module, others)| (module, others.into_iter().collect())).collect()
    }

    fn one(from: &str, to: &[&str]) -> (String, Vec<String>) {
        (from.to_owned(), to.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn an_import_points_to_the_file_that_defines_the_name() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use b::c::Thing;"),
            ("a.rs", "use std::fmt;\nuse crate::{\n    Thing,\n    b::{self, Other},\n};\n"),
            ("b.rs", "mod c;\npub use c::Thing;\npub struct Other;"),
            ("b/c.rs", "pub struct Thing;\nfn f() { super::g(); crate::a::h(); }"),
        ];
        assert_eq!(arrows(&files), [one("a", &["b", "b/c"]), one("b/c", &["a", "b"])]);
    }

    #[test]
    fn a_module_imports_the_child_that_it_calls() {
        let files = [("load/mod.rs", "mod run;\nfn f() { run::start() }"), ("load/run.rs", "fn start() {}")];
        assert_eq!(arrows(&files), [one("load", &["load/run"])]);
    }
}
