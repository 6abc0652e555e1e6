//! Wrong usage: the program sends no request and exits with 2.

use crate::support::{Listener, Program, kube_assay, session};

#[test]
fn an_unknown_clause_area_or_feature() {
    insta::assert_snapshot!(session(&[
        &["run", "--clause", "rv-list-exact-nolimit-nonzro"],
        &["run", "--clause", "zzz"],
        &["run", "--skip", "zzz"],
        &["run", "--area", "helth"],
        &["run", "--area", "zzz"],
        &["run", "--feature", "CustomResorces"],
        &["run", "--no-feature", "zzz"],
        &["list", "clauses", "--area", "helth"],
        &["list", "clauses", "--clause", "*-*-*-*-*-*-*-*z"],
        &["explain", "rv-list-exact-nolimit-nonzro"],
        &["explain", "zzz"],
        &["explain", ""],
    ]));
}

#[test]
fn an_output_that_cannot_be_written() {
    let program = Program::testing("http://127.0.0.1:1");
    let file = program.file("taken", "");
    let ended = program.with(&["--output-dir", &file]).end();
    let elsewhere = kube_assay(&["run", "--output-dir", "/proc/nowhere"]).end();
    insta::assert_snapshot!([ended.error(), elsewhere.error()].join("\n"));
    let long = kube_assay(&["run", "--output-dir", &"a".repeat(300)]).end().ended_with(2).error();
    assert!(long.ends_with("; hint: choose a shorter name"), "{long}");
    let gone = kube_assay(&["run"]).after("rmdir \"$PWD\"").end().ended_with(2).error();
    assert!(gone.ends_with("; hint: change to another working directory, this one is gone"), "{gone}");
}

#[test]
fn flags_that_make_no_sense() {
    insta::assert_snapshot!(session(&[
        &["run", "--hook", "bad"],
        &["run", "--hook", "bad=true"],
        &["run", "--hook", ""],
        &["run", "--hook", "compact= "],
        &["run", "--label", "a=1", "--label", "a=2"],
        &["run", "--scenario-timeout", "soon"],
        &["run", "--scenario-timeout", "0s"],
        &["run", "--event-timeout", "18446744073709551615h"],
        &["run", "--event-timeout", "999ms"],
        &["run", "--request-timeout", "3 weeks"],
        &["run", "--parallel", "0"],
        &["run", "--shard", "3/2"],
        &["run", "--release", "one"],
        &["run", "--token", "x"],
        &["run", "--server", "https://127.0.0.1:99999"],
        &["run", "--server", "https://127.0.0.1:0"],
        &["load", "crud-mix", "--server", "https://[::1]:65536"],
        &["run", "--kubeconfig", "a", "--server", "b"],
        &["run", "--replica", "https://127.0.0.1:1"],
        &["run", "--server", "https://127.0.0.1:1", "--replica", "https://127.0.0.1:1"],
        &["run", "--server", "https://127.0.0.1:1", "--replica", "http://127.0.0.1:2"],
        &["run", "--server", "https://127.0.0.1:1", "--replica", "https://me:secret@127.0.0.1:2"],
        &["run", "--server", "https://127.0.0.1:1", "--feature", "Replicas"],
        &["run", "--feature", "CEL", "--no-feature", "CEL"],
        &["run", "--level", "maybe"],
        &["run", "--no-such-flag"],
        &["prove", "--token", "x"],
        &["prove", "--bug", "kubernetes-58544"],
        &["serve", "--bug", "zzz"],
        &["walk"],
    ]));
}

/// kube-assay reads no kubeconfig beside `--server`, and nothing else beside a kubeconfig or a service account.
#[test]
fn a_flag_without_an_effect_on_the_target_is_refused() {
    const SERVER: [&str; 2] = ["--server", "http://127.0.0.1:1"];
    const KUBECONFIG: [&str; 2] = ["--kubeconfig", "missing"];
    const IN_CLUSTER: [&str; 1] = ["--in-cluster"];
    for (target, other) in [
        (&SERVER[..], &["--context", "x"][..]),
        (&IN_CLUSTER, &["--context", "x"]),
        (&KUBECONFIG, &["--token", "x"]),
        (&KUBECONFIG, &["--tls-server-name", "x"]),
        (&IN_CLUSTER, &["--certificate-authority", "x"]),
        (&IN_CLUSTER, &["--insecure-skip-tls-verify"]),
    ] {
        let ended = kube_assay(&["run"]).with(target).with(other).end().ended_with(2);
        assert!(ended.err.contains("cannot be used with"), "{}", ended.err);
        assert!(ended.err.contains(target[0]) && ended.err.contains(other[0]), "{}", ended.err);
    }
}

#[test]
fn a_flag_about_tls_beside_an_http_url_has_a_warning() {
    let program = kube_assay(&["run", "--server", "http://127.0.0.1:1", "--tls-server-name", "x"]);
    let ended = program.with(&["--insecure-skip-tls-verify"]).end().ended_with(3);
    for flag in ["--tls-server-name", "--insecure-skip-tls-verify"] {
        let warning = format!("warning: {flag} has no effect, because http://127.0.0.1:1 is no https URL\n");
        assert!(ended.err.contains(&warning), "{}", ended.err);
    }
}

#[test]
fn a_very_long_argument_is_not_repeated_whole() {
    let long = "é\n".repeat(30_000);
    let server = format!("http://127.0.0.1:1/{long}");
    for call in [
        ["list", "clauses", &long],
        ["run", "--shard", &long],
        ["run", "--server", &server],
        ["explain", "--", &long],
        ["compare", &long, "missing"],
    ] {
        let error = kube_assay(&call).end().ended_with(2).err;
        let beginning: String = error.chars().take(200).collect();
        assert!(error.contains("characters left out]"), "{beginning}");
        assert!(error.chars().count() < 5_000, "{beginning}");
    }
}

#[test]
fn a_pattern_that_is_longer_than_any_id_is_refused() {
    let (stars, dashes) = ("*".repeat(100_000), "*-".repeat(500));
    let longer = format!("{dashes}*");
    let too_long = "\"… is too long; hint: give at most 1000 characters";
    for (call, reason) in [
        (&["run", "--clause", &stars][..], too_long),
        (&["run", "--skip", &longer], too_long),
        (&["report", "events.jsonl", "--clause", &stars], too_long),
        (&["run", "--clause", &dashes], "\"…; `kube-assay list clauses` shows all"),
    ] {
        let error = kube_assay(call).end().ended_with(2).err;
        assert!(error.contains(reason) && error.chars().count() < 300, "{error}");
    }
}

#[test]
fn without_a_command_the_help_is_shown() {
    assert!(kube_assay(&[]).end().ended_with(2).err.contains("Usage: kube-assay"));
}

#[test]
fn the_server_gets_no_request() {
    let listener = Listener::start(drop);
    for wrong in [["--clause", "zzz"], ["--scenario-timeout", "0"], ["--output-dir", "/proc/nowhere"]] {
        Program::facing(&listener).with(&wrong).end().ended_with(2);
    }
    assert_eq!(listener.visitors(), 0);
}

#[test]
fn what_can_be_no_run_is_a_wrong_call() {
    for run in ["", " ", "K3X9Q2", "k3x9q2 ", "*", "run=x", "../../x"] {
        let refused =
            kube_assay(&["clean", "--server", "http://127.0.0.1:1", "--run", run]).end().ended_with(2);
        assert!(
            refused.err.contains("an ID of lower-case letters and digits, such as k3x9q2"),
            "{}",
            refused.err
        );
    }
}
