//! `load --slo`: thresholds from a file, in `junit.xml` and in GitHub Actions.

use std::fs;

use crate::load::loading;
use crate::support::{Ended, Program, Reference, kube_assay};

/// A small mix.
const MIX: [&str; 8] = ["--objects", "20", "--rate", "50", "--warm-up", "1ms", "--duration", "2s"];

/// A set with these rules.
fn set(rules: &[&str]) -> String {
    let rows = rules.iter().map(|rule| format!("[[threshold]]\nrule = \"{rule}\"\n"));
    format!("name = \"team\"\n{}", rows.collect::<String>())
}

fn judged_by(slo: &str, reference: &Reference) -> Program {
    let program = loading("crud-mix", reference).with(&MIX).with(&["--slo", "slo.toml"]);
    program.file("slo.toml", slo);
    program
}

#[track_caller]
fn expect_junit(ended: &Ended, texts: &[&str]) {
    let junit = ended.report("junit.xml");
    for text in texts {
        assert!(junit.contains(text), "no {text:?} in {junit}");
    }
}

#[test]
fn the_example_in_the_docs_judges_a_run() {
    let reference = Reference::right();
    // The machine of a test may be busy, which is no matter of the file.
    let example = include_str!("../../docs/slo.toml").replace("ms", "s").replace("80%", "100%");
    let ended = judged_by(&example, &reference).end().ended_with(0);
    assert!(ended.out.contains("7 thresholds met"), "{}", ended.out);
    expect_junit(&ended, &["name=\"team: p99&lt;=500s for LIST configmaps\""]);
}

#[test]
fn a_missed_threshold_of_a_file_fails_the_run_and_annotates_the_step() {
    let reference = Reference::right();
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.md");
    let program = judged_by(&set(&["p50<1us for GET", "failed<=1%"]), &reference);
    let program = program.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", summary.to_str().unwrap());
    let ended = program.end().ended_with(1);
    let (first, rest) = ended.out.split_once('\n').unwrap();
    let word = first.strip_prefix("::stop-commands::").unwrap();
    let (results, commands) = rest.split_once(&format!("::{word}::\n")).unwrap();
    assert!(results.contains("1 threshold missed") && !results.contains("::error"), "{results}");
    let title = "::error title=threshold missed%3A team%3A p50<1us for GET::missed: p50<1us for GET, was ";
    assert!(commands.starts_with(title) && commands.lines().count() == 1, "{commands}");
    expect_junit(&ended, &["failures=\"1\"", "name=\"team: p50&lt;1us for GET\""]);
    assert!(fs::read_to_string(&summary).unwrap().starts_with("### crud-mix: 1 threshold missed"));
}

#[test]
fn a_threshold_without_a_value_and_a_slow_generator_are_inconclusive() {
    let reference = Reference::right();
    for (rule, text) in [
        ("resumption p99<1s for GET", "not judged: resumption p99&lt;1s for GET"),
        ("generator-cpu<=0.001%", "inconclusive: generator-cpu&lt;=0.001%, was "),
    ] {
        let program = judged_by(&set(&[rule, "failed<=1%"]), &reference);
        let ended = program.env("GITHUB_ACTIONS", "true").with(&["-o", "json"]).end().ended_with(3);
        expect_junit(&ended, &["errors=\"1\"", text]);
        assert!(
            ended.out.starts_with('{') && ended.err.contains("::error title=inconclusive::"),
            "{}",
            ended.err
        );
    }
    let optional = format!("required = false\n{}", set(&["p99<1s for LIST pods", "failed<=1%"]));
    judged_by(&optional, &reference).end().ended_with(0);
}

#[test]
fn a_file_that_is_no_slo_is_an_error_before_the_first_request() {
    let wrong = [
        set(&["p99<1s", "p99<500"]),
        set(&["p99<1s"]).replace("rule", "limit"),
        set(&["p99<1s"]).replace("team", "watch"),
        set(&[]),
        "name = \"team\"\nthreshold = []\n".to_owned(),
    ];
    let errors = wrong.map(|slo| {
        let program = kube_assay(&["load", "crud-mix", "--slo", "slo.toml"]);
        program.file("slo.toml", &slo);
        program.end().error()
    });
    insta::assert_snapshot!(errors.join("\n"));
}

#[cfg(unix)]
#[test]
fn a_file_without_end_does_not_fill_our_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slo.toml");
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    let ended = kube_assay(&["load", "crud-mix", "--slo", file.to_str().unwrap()]).end().ended_with(2);
    assert!(ended.err.contains("it is larger than 16 megabytes"), "{}", ended.err);
}
