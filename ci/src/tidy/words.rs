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

/// The runner emits events; what becomes of them is decided elsewhere.
pub(crate) const OUTPUT: WordRule = WordRule {
    sentence: "only reports and src write to standard output and error",
    words: &[
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "io::stdout",
        "io::stderr",
        "stdout()",
        "stderr()",
    ],
    may_use: |path| path.starts_with("reports/") || is_edge(path),
    tests_may: true,
};

/// A run depends on what it is given and on nothing that it finds lying around.
pub(crate) const ENVIRONMENT: WordRule = WordRule {
    sentence: "only src reads arguments and environment, and exits",
    words: &["std::env", "env::", "process::exit", "process::abort"],
    may_use: is_edge,
    tests_may: true,
};

/// Time that is written down comes from outside, so that a recorded run renders the same again.
pub(crate) const CLOCK: WordRule = WordRule {
    sentence: "only src, and the reference server, read the wall clock",
    words: &["SystemTime::now", "Timestamp::now", "Zoned::now", "Utc::now", "Local::now"],
    may_use: |path| path.starts_with("reference/") || is_edge(path),
    tests_may: true,
};

/// A sleep is either too short on a slow server or too long on a fast one.
pub(crate) const SLEEP: WordRule = WordRule {
    sentence: "suites never sleep: they wait for a condition with a deadline",
    words: &["sleep(", "sleep_until(", "sleep::"],
    may_use: |path| !path.starts_with("suites/src/"),
    tests_may: false,
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

/// See [`OUTPUT`].
pub(crate) fn output(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &OUTPUT)
}

/// See [`ENVIRONMENT`].
pub(crate) fn environment(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &ENVIRONMENT)
}

/// See [`CLOCK`].
pub(crate) fn clock(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &CLOCK)
}

/// See [`SLEEP`].
pub(crate) fn sleep(tree: &Tree) -> Vec<Finding> {
    misplaced(tree, &SLEEP)
}

/// The programs themselves: the command line, this one, examples, benchmarks, and build scripts, which talk to Cargo.
fn is_edge(path: &str) -> bool {
    let own = path.starts_with("src/") || path.starts_with("ci/");
    own || is_bench(path) || path.contains("/examples/") || path.rsplit('/').next() == Some("build.rs")
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
    fn the_http_library_is_named_in_two_files_only() {
        let text = "fn send(http: &reqwest::Client) {}";

        assert_eq!(found(http_library, "harness/target/src/client.rs", text), 0);
        assert_eq!(found(http_library, "reference/tests/watch.rs", text), 0);
        assert_eq!(found(http_library, "harness/run/src/target.rs", text), 1);
        assert_eq!(found(http_library, "suites/src/watch.rs", text), 1);
    }

    #[test]
    fn connections_are_made_below_the_wire_only() {
        let text = "fn open(io: Io) -> h2::client::SendRequest<Bytes> {}";

        assert_eq!(found(wire, "loadgen/src/wire/line.rs", text), 0);
        assert_eq!(found(wire, "loadgen/benches/load/stage/server.rs", text), 0);
        assert_eq!(found(wire, "loadgen/src/fleet/watcher.rs", text), 1);
        assert_eq!(found(wire, "harness/target/src/client.rs", "use hyper::body::Incoming;"), 1);
        assert_eq!(found(http_library, "loadgen/src/wire/line.rs", "use reqwest::Client;"), 1);
    }

    #[test]
    fn only_the_edge_prints() {
        let text = "fn say() {\n    println!(\"loud\");\n    write!(std::io::stderr(), \"too\");\n}";

        assert_eq!(found(output, "harness/run/src/run.rs", text), 2);
        assert_eq!(found(output, "reports/src/terminal.rs", text), 0);
        assert_eq!(found(output, "src/run.rs", text), 0);
        assert_eq!(
            found(output, "harness/run/src/run.rs", "#[cfg(test)]\nmod tests { fn a() { println!(); } }"),
            0
        );
        assert_eq!(found(output, "harness/run/src/run.rs", "child.stdout(Stdio::null())"), 0);
    }

    #[test]
    fn only_the_edge_looks_around_and_exits() {
        assert_eq!(
            found(environment, "harness/run/src/kubeconfig.rs", "let home = std::env::var_os(name);"),
            1
        );
        assert_eq!(found(environment, "reference/src/api.rs", "std::process::exit(1);"), 1);
        assert_eq!(found(environment, "src/main.rs", "std::process::exit(1);"), 0);
        assert_eq!(found(environment, "reference/examples/serve.rs", "std::env::args()"), 0);
        assert_eq!(found(environment, "suites/src/lib.rs", "include_str!(concat!(env!(\"OUT_DIR\")))"), 0);
    }

    #[test]
    fn only_the_edge_and_the_reference_read_the_clock() {
        assert_eq!(found(clock, "harness/run/src/event.rs", "let at = jiff::Timestamp::now();"), 1);
        assert_eq!(found(clock, "reference/src/store.rs", "let at = jiff::Timestamp::now();"), 0);
        assert_eq!(found(clock, "harness/run/src/exchange.rs", "let start = Instant::now();"), 0);
    }

    #[test]
    fn suites_never_sleep() {
        let text = "tokio::time::sleep(SECOND).await;";

        assert_eq!(found(sleep, "suites/src/watch.rs", text), 1);
        assert_eq!(found(sleep, "harness/run/src/context.rs", text), 0);
        assert_eq!(found(sleep, "suites/src/watch.rs", "fn never_asleep() {}"), 0);
    }
}
