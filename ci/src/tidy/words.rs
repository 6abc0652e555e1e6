//! Words of the program that belong into some files only.

use super::Finding;
use super::code::{is_word, says};
use super::tree::{Tree, stem};

/// Words, and the files in which they may be used.
pub(crate) struct WordRule {
    /// What holds.
    pub(crate) sentence: &'static str,
    words: &'static [&'static str],
    may_use: fn(path: &str) -> bool,
    /// Whether unit tests may use them anyway.
    tests_may: bool,
}

/// The load engine is a detail of one file, so that another can take its place.
pub(crate) const LOAD_ENGINE: WordRule = WordRule {
    sentence: "only loadgen/src/attack.rs names goose, and the benchmark that is set beside it",
    words: &["goose"],
    may_use: |path| path == "loadgen/src/attack.rs" || path == "loadgen/benches/load/get.rs",
    tests_may: false,
};

/// Nothing sits between a scenario and the wire: the HTTP library is driven from one file.
pub(crate) const HTTP_LIBRARY: WordRule = WordRule {
    sentence: "only harness/target/src/client.rs, the reference's tests and benchmarks name reqwest",
    words: &["reqwest"],
    may_use: |path| {
        path == "harness/target/src/client.rs" || path.starts_with("reference/tests/") || is_bench(path)
    },
    tests_may: false,
};

/// What is measured goes over connections that nothing else decides about.
pub(crate) const WIRE: WordRule = WordRule {
    sentence: "only the files below loadgen/src/wire/, and benchmarks, name h2 and hyper",
    words: &["h2::", "hyper::", "hyper_util::", "http_body_util::"],
    may_use: |path| path.starts_with("loadgen/src/wire/") || is_bench(path),
    tests_may: true,
};

/// See [`LOAD_ENGINE`].
pub(crate) fn load_engine(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &LOAD_ENGINE)
}

/// See [`HTTP_LIBRARY`].
pub(crate) fn http_library(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &HTTP_LIBRARY)
}

/// See [`WIRE`].
pub(crate) fn wire(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &WIRE)
}

fn is_bench(path: &str) -> bool {
    path.starts_with("benches/") || path.contains("/benches/")
}

/// Files that are tests as a whole.
fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.contains("/tests/") || stem(path) == "tests"
}

fn misplaced(tree: &Tree, rule: &WordRule) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, file) in tree.rust() {
        if (rule.may_use)(path) || (rule.tests_may && is_test(path)) {
            continue;
        }
        let code = if rule.tests_may { &file.product } else { &file.code };
        for (number, line) in code.lines().enumerate() {
            let used = rule.words.iter().find(|word| says(line, word, is_word));
            findings.extend(used.map(|word| Finding::at(path, number + 1, format!("uses `{word}`"))));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(find: fn(&Tree) -> Vec<Finding>, path: &str, text: &str) -> usize {
        find(&Tree::of(&[(path, text)])).len()
    }

    #[test]
    fn goose_is_named_in_one_file_only() {
        let text = "use goose::prelude::*;";

        assert_eq!(found(load_engine, "loadgen/src/attack.rs", text), 0);
        assert_eq!(found(load_engine, "loadgen/src/pace.rs", text), 1);
        assert_eq!(
            found(load_engine, "loadgen/src/pace.rs", "// Not by goose: see attack.rs.\nlet mongoose = 1;"),
            0
        );
    }

    #[test]
    fn the_http_library_is_named_in_one_file_only() {
        let text = "fn send(http: &reqwest::Client) {}";

        assert_eq!(found(http_library, "harness/target/src/client.rs", text), 0);
        assert_eq!(found(http_library, "reference/tests/watch.rs", text), 0);
        assert_eq!(found(http_library, "harness/run/src/watch.rs", text), 1);
        assert_eq!(found(http_library, "suites/src/watch.rs", text), 1);
    }

    #[test]
    fn connections_are_made_below_the_wire_only() {
        let text = "fn open(io: Io) -> h2::client::SendRequest<Bytes> {}";

        assert_eq!(found(wire, "loadgen/src/wire/connection.rs", text), 0);
        assert_eq!(found(wire, "loadgen/benches/load/stage/server.rs", text), 0);
        assert_eq!(found(wire, "loadgen/src/watch_pool/watcher.rs", text), 1);
        assert_eq!(found(wire, "harness/target/src/client.rs", "use hyper::body::Incoming;"), 1);
        assert_eq!(found(http_library, "loadgen/src/wire/connection.rs", "use reqwest::Client;"), 1);
    }
}
