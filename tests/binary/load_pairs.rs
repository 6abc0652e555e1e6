//! `load --against`: two servers in turn.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::load::loading;
use crate::support::http::response;
use crate::support::{Proxy, Reference, Reply, kube_assay, until};

#[test]
fn too_few_pairs_are_rejected_before_the_first_request() {
    let early: &[&str] = &["--max-regression", "10%", "--stop-early"];
    let few = [("crud-mix", "10", &[][..]), ("watch-fanout", "1", &[]), ("crud-mix", "12", early)];
    let errors = few.map(|(workload, pairs, flags)| {
        let against = ["--against", "--server http://127.0.0.1:1", "--pairs", pairs];
        let target = ["load", workload, "--server", "http://127.0.0.1:1"];
        kube_assay(&target).with(&against).with(flags).end().error()
    });
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_server_against_itself_runs_enough_pairs_and_the_last_line_names_both() {
    let (one, other) = (Reference::right(), Reference::right());
    let against = format!("--server {} --token {}", other.url(), other.token());
    let program = loading("own.toml", &one).with(&["--against", &against]);
    program.file("own.toml", GETS);
    let ended = program.end().ended_with(0);
    let text = "GET configmaps resource, latency p50";
    assert!(ended.out.contains("median of pairs") && ended.out.contains(text), "{}", ended.out);
    let output: String = ended.out.lines().rev().take(3).collect();
    for text in [one.url(), other.url(), "nothing is judged".to_owned()] {
        assert!(output.contains(&text), "no {text:?} in: {}", ended.out);
    }
    for folder in ["base-1", "new-1", "base-8", "new-8"] {
        assert!(ended.reports().join(folder).join("summary.json").exists(), "{folder}");
    }
    assert!(!ended.reports().join("base-9").exists());
    assert_eq!((one.left_behind().len(), other.left_behind().len()), (0, 0));
}

/// Passes every request on, but the reads of every other run only after a while.
fn slow_every_other_run(reference: &Reference, first: bool) -> Proxy {
    let namespaces = Mutex::new(Vec::new());
    Proxy::before(reference, move |request| {
        let namespace = match request.target() {
            ("GET", path) => path.split_once("/configmaps/o").map(|(namespace, _)| namespace.to_owned()),
            _ => None,
        };
        if let Some(namespace) = namespace {
            let mut known = namespaces.lock().unwrap();
            if known.last() != Some(&namespace) {
                known.push(namespace);
            }
            let slow = (known.len() % 2 == 1) == first;
            drop(known);
            std::thread::sleep(Duration::from_millis(if slow { 200 } else { 0 }));
        }
        Reply::Pass
    })
}

#[test]
fn a_limit_that_the_pairs_cannot_see_ends_in_3_with_what_it_would_take() {
    let (one, other) = (Reference::right(), Reference::right());
    let (new, base) = (slow_every_other_run(&one, true), slow_every_other_run(&other, false));
    let against = format!("--server {} --token {}", base.url(), other.token());
    let program = crate::load::facing("own.toml", &new.url(), &one);
    program.file("own.toml", GETS);
    let ended = program.with(&["--against", &against, "--max-regression", "10%"]).end().ended_with(3);
    let output = ended.out.replace('\n', " ");
    for text in ["inconclusive whether", "2 of 2 numbers scatter too much", "estimated from this spread"] {
        assert!(output.contains(text), "no {text:?} in: {}", ended.out);
    }
}

#[test]
fn what_was_measured_before_a_server_was_gone_is_shown() {
    let (one, other) = (Reference::right(), Reference::right());
    let namespaces = AtomicUsize::new(0);
    let proxy = Proxy::before(&other, move |request| match request.target() {
        ("POST", path) if path.ends_with("/namespaces") => match namespaces.fetch_add(1, Ordering::Relaxed) {
            0..3 => Reply::Pass,
            _ => Reply::Bytes(response("500 Internal Server Error", "application/json", "{}")),
        },
        _ => Reply::Pass,
    });
    let against = format!("--server {} --token {}", proxy.url(), other.token());
    let program = loading("own.toml", &one).with(&["--against", &against, "--max-regression", "10%"]);
    program.file("own.toml", GETS);
    let ended = program.end().ended_with(3);
    let output = ended.out.replace('\n', " ");
    for text in ["measured in", "inconclusive whether", "base-", &one.url(), &proxy.url()] {
        assert!(output.contains(text), "no {text:?} in: {}", ended.out);
    }
}

#[test]
fn programs_get_one_document_about_all_pairs() {
    let one = Reference::right();
    let refusing = Proxy::before(&one, |request| match request.target() {
        ("POST", path) if path.ends_with("/namespaces") => {
            Reply::Bytes(response("500 Internal Server Error", "application/json", "{}"))
        }
        _ => Reply::Pass,
    });
    let against = format!("--server {} --token {}", refusing.url(), one.token());
    let program = loading("own.toml", &one).with(&["--against", &against, "-o", "json"]);
    program.file("own.toml", GETS);
    let ended = program.end().ended_with(3);
    let document: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((&document["kind"], &document["conclusion"]), (&"load-pairs".into(), &"inconclusive".into()));
}

/// Passes every request on, but reads only after a while.
fn slow_reads(reference: &Reference) -> Proxy {
    Proxy::before(reference, |request| {
        if matches!(request.target(), ("GET", path) if path.contains("/configmaps/o")) {
            std::thread::sleep(Duration::from_millis(300));
        }
        Reply::Pass
    })
}

#[test]
fn a_slower_server_is_surely_worse() {
    let (fast, slow) = (Reference::right(), Reference::right());
    let proxy = slow_reads(&slow);
    let against = format!("--server {} --token {}", fast.url(), fast.token());
    let program = crate::load::facing("own.toml", &proxy.url(), &slow);
    program.file("own.toml", GETS);
    let ended = program.with(&["--against", &against, "--pairs", "8", "--max-regression", "10%"]).end();
    let ended = ended.ended_with(1);
    let output = ended.out.replace('\n', " ");
    assert!(output.contains("(new) is worse than") && output.contains("at 99 % confidence"), "{}", ended.out);
}

#[test]
fn a_clear_regression_stops_the_comparison_and_every_report_says_so() {
    let (fast, slow) = (Reference::right(), Reference::right());
    let proxy = slow_reads(&slow);
    let against = format!("--server {} --token '{}'", fast.url(), fast.token());
    let program = crate::load::facing("own.toml", &proxy.url(), &slow).env("GITHUB_ACTIONS", "true");
    program.file("own.toml", GETS);
    let ended = program.with(&["--against", &against, "--max-regression", "10%", "--stop-early"]).end();
    let ended = ended.ended_with(1);
    let early = "stopped early, after 10 of 30 pairs: every number is decided";
    let sentence = "GET configmaps resource p50 is ";
    for report in ["pairs.json", "pairs.md", "report.html"] {
        let text = ended.report(report);
        assert!(text.contains(early) && text.contains(sentence), "{report}: {text}");
    }
    assert!(ended.out.replace('\n', " ").contains(early), "{}", ended.out);
    let junit = ended.report("junit.xml");
    assert!(junit.contains("failures=\"3\"") && junit.contains(sentence), "{junit}");
    assert_eq!(ended.out.matches("::error title=slower%3A GET configmaps resource p").count(), 2);
    assert!(ended.reports().join("new-10").exists() && !ended.reports().join("new-11").exists());
}

#[test]
fn pairs_of_a_generator_that_stood_still_are_not_judged() {
    let (one, other) = (Reference::right(), Reference::right());
    let reads = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = reads.clone();
    let proxy = Proxy::before(&one, move |request| {
        counted.fetch_add(usize::from(request.first.contains("/configmaps/o")), Ordering::SeqCst);
        Reply::Pass
    });
    let against = format!("--server {} --token {}", other.url(), other.token());
    let program = crate::load::facing("own.toml", &proxy.url(), &one);
    program.file("own.toml", GETS);
    let running = program.with(&["--against", &against, "--max-regression", "10%"]);
    let running = running.with(&["--duration", "3s"]).start();
    until(|| reads.load(Ordering::SeqCst) > 3);
    running.signal("STOP");
    std::thread::sleep(Duration::from_millis(1_500));
    running.signal("CONT");
    let ended = running.end().ended_with(3);
    let output = ended.out.replace('\n', " ");
    assert!(output.contains("is unreliable: the generator stood still for "), "{}", ended.out);
}

/// Nothing but reads: two numbers, for which eight pairs are enough.
pub(crate) const GETS: &str = r#"
name = "gets"
models = "Readers."
duration = "500ms"
warm-up = "1ms"
drain = "5s"

[population]
objects = 10
size = 256

[requests]
rate = 10.0
connections = 8

[[requests.operations]]
verb = "get"
"#;

#[test]
fn incomparable_runs_are_an_error() {
    let refused = |arguments: &[&str]| {
        let ended = kube_assay(&["load", "crud-mix"]).with(arguments).end();
        assert_eq!(ended.code, Some(2), "{arguments:?}: {}", ended.err);
        ended.err
    };
    assert!(refused(&["--pairs", "3"]).contains("--against"));
    assert!(refused(&["--max-regression", "3%"]).contains("--against"));
    assert!(refused(&["--against", "--sever x"]).contains("--sever"));
    assert!(refused(&["--against", "--server x", "--stop-early"]).contains("--max-regression"));
    let open = refused(&["--against", "--server x --token 's3cr3t"]);
    assert!(open.contains("hint: quote a value with blanks") && !open.contains("s3cr3t"), "{open}");
    assert!(refused(&["--against", "--token x"]).contains("--server"));
    refused(&["--against", "--server http://127.0.0.1:1", "--pairs", "0"]);
}

#[test]
fn another_server_must_be_named() {
    for against in ["", " ", "--http2"] {
        let program =
            kube_assay(&["load", "crud-mix", "--server", "http://127.0.0.1:1", "--against", against]);
        let refused = program.end().ended_with(2);
        assert!(refused.err.contains("they name no server; hint: give --server URL"), "{}", refused.err);
    }
}
