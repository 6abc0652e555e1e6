//! Words that only some files may use.

use super::Finding;
use super::code::{contains_word, is_word};
use super::tree::{Tree, stem};

/// Words, with the files that may use them.
pub(crate) struct WordRule {
    /// The invariant.
    pub(crate) sentence: &'static str,
    words: &'static [&'static str],
    may_use: fn(path: &str) -> bool,
    /// Whether unit tests may use the words as well.
    tests_may: bool,
}

/// Only one file names the load engine, so that another engine can replace it.
pub(crate) const LOAD_ENGINE: WordRule = WordRule {
    sentence: "only loadgen/src/attack.rs names goose, and the benchmark that compares it",
    words: &["goose"],
    may_use: |path| path == "loadgen/src/attack.rs" || path == "loadgen/benches/load/get.rs",
    tests_may: false,
};

/// Only one file uses the HTTP library: no layer changes a scenario's requests.
pub(crate) const HTTP_LIBRARY: WordRule = WordRule {
    sentence: "only harness/target/src/live.rs, the reference's tests and benchmarks name reqwest",
    words: &["reqwest"],
    may_use: |path| {
        path == "harness/target/src/live.rs" || path.starts_with("reference/tests/") || is_bench(path)
    },
    tests_may: false,
};

/// Only the wire module uses HTTP/2 libraries: no other code affects measured connections.
pub(crate) const WIRE: WordRule = WordRule {
    sentence: "only the files below loadgen/src/wire/, the harness's connections, the reference's upgrades and benchmarks name h2 and hyper",
    words: &["h2::", "hyper::", "hyper_util::", "http_body_util::"],
    may_use: |path| {
        let others = [
            "harness/target/src/bare_connection.rs",
            "harness/target/src/stream_limit.rs",
            "reference/src/api.rs",
            "reference/src/fault_proxy.rs",
            "reference/src/websocket.rs",
        ];
        path.starts_with("loadgen/src/wire/") || others.contains(&path) || is_bench(path)
    },
    tests_may: true,
};

/// A replay repeats the concurrency and the time of a scenario only where the harness sees them.
pub(crate) const REPLAY: WordRule = WordRule {
    sentence: "suites join futures and read the time through harness alone: full evidence records both",
    words: &["futures::future", "tokio::time", "std::time::Instant", "std::time::{Duration, Instant}"],
    may_use: |path| !path.starts_with("suites/src/"),
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

/// See [`REPLAY`].
pub(crate) fn replay(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &REPLAY)
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
            let used = rule.words.iter().find(|word| contains_word(line, word, is_word));
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

        assert_eq!(found(http_library, "harness/target/src/live.rs", text), 0);
        assert_eq!(found(http_library, "reference/tests/watch.rs", text), 0);
        assert_eq!(found(http_library, "harness/run/src/watch.rs", text), 1);
        assert_eq!(found(http_library, "suites/src/watch.rs", text), 1);
    }

    #[test]
    fn only_the_wire_module_opens_connections() {
        let text = "fn open(io: Io) -> h2::client::SendRequest<Bytes> {}";

        assert_eq!(found(wire, "loadgen/src/wire/connection.rs", text), 0);
        assert_eq!(found(wire, "loadgen/benches/load/stage/server.rs", text), 0);
        assert_eq!(found(wire, "loadgen/src/watch_pool/watcher.rs", text), 1);
        assert_eq!(found(wire, "harness/target/src/client.rs", "use hyper::body::Incoming;"), 1);
        assert_eq!(found(http_library, "loadgen/src/wire/connection.rs", "use reqwest::Client;"), 1);
    }

    #[test]
    fn suites_join_futures_and_read_the_time_through_harness() {
        for text in ["use futures::future::join;", "use std::time::{Duration, Instant};"] {
            assert_eq!(found(replay, "suites/src/watch/order.rs", text), 1);
            assert_eq!(found(replay, "harness/run/src/fixture.rs", text), 0);
        }
        assert_eq!(found(replay, "suites/src/watch/order.rs", "use harness::{Instant, join};"), 0);
    }
}
