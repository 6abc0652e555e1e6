//! kube-assay.toml and environment variables.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::support::{Ended, Program, Reference, kube_assay};

const CLAUSE: &str = "rv-list-nomatch-nolimit-unset";

/// A target with its token in a file, a default profile with one clause, and two named profiles.
fn file(reference: &Reference) -> String {
    format!(
        "[target.mine]\nserver = \"{}\"\ntoken-file = \"token\"\n\
         [profile.default]\nclause = [\"{CLAUSE}\"]\nlabel = {{ team = \"storage\" }}\n\
         [profile.nightly]\ninherits = \"full\"\nparallel = 3\nstrict = true\n\
         [profile.weekly]\ninherits = \"nightly\"\nparallel = 5\n",
        reference.url()
    )
}

fn with_file(reference: &Reference, text: &str, arguments: &[&str]) -> Program {
    let program = kube_assay(&["run"]).with(arguments);
    program.file("kube-assay.toml", text);
    program.file("token", reference.token());
    program
}

fn flags(ended: &Ended) -> Vec<String> {
    let summary: serde_json::Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    let flags = summary["invocation"]["flags"].as_array().unwrap();
    flags.iter().map(|flag| flag.as_str().unwrap().to_owned()).collect()
}

#[test]
fn only_a_flag_makes_a_run_use_a_target_of_the_file() {
    let reference = Reference::right();
    let run = |arguments: &[&str]| with_file(&reference, &file(&reference), arguments).end();

    let embedded = run(&[]).ended_with(0);
    assert!(embedded.report("summary.json").contains("\"embedded\": true"), "{}", embedded.err);

    let named = run(&["--target", "mine"]).ended_with(0);
    assert!(named.err.contains(&reference.url()), "{}", named.err);
    assert!(flags(&named).contains(&format!("--server={}", reference.url())));
    assert!(!flags(&named).iter().any(|flag| flag.starts_with("--target")), "it has no meaning elsewhere");
    assert!(named.report("events.jsonl").contains("\"labels\":{\"team\":\"storage\"}"));
}

#[test]
fn a_profile_lies_over_the_default_and_flags_over_both() {
    let reference = Reference::right();
    let run = |arguments: &[&str]| with_file(&reference, &file(&reference), arguments).end().ended_with(0);
    let weekly = flags(&run(&["--profile", "weekly"]));
    let clause = format!("--clause={CLAUSE}");
    for flag in ["--profile=full", "--parallel=5", "--strict", &clause] {
        assert!(weekly.iter().any(|given| given == flag), "{flag}: {weekly:?}");
    }
    let given = flags(&run(&["--profile", "weekly", "--parallel", "2", "--clause", "rv-is-string"]));
    assert!(given.contains(&"--parallel=2".to_owned()), "{given:?}");
    assert!(!given.contains(&clause), "a flag replaces the whole list: {given:?}");
}

#[test]
fn a_file_that_cannot_be_used_is_an_error() {
    let reference = Reference::right();
    let refused =
        |text: &str, arguments: &[&str]| with_file(&reference, text, arguments).end().ended_with(2).error();
    let good = file(&reference);
    let errors = [
        refused(&good, &["--target", "yours"]),
        refused("", &["--target", "yours"]),
        refused(&good, &["--target", "mine", "--server", "http://127.0.0.1:1"]),
        refused(&good, &["--profile", "daily"]).lines().next().unwrap_or_default().to_owned(),
        refused("[target.a]\nserver = \"http://127.0.0.1:1\"\ntoken = \"s3cr3t\"\n", &["--target", "a"]),
        refused("[profile.default]\nparalel = 3\n", &[]),
        refused("[profile.default]\nserver = \"http://127.0.0.1:1\"\n", &[]),
        refused("[profile.full]\nparallel = 3\n", &[]),
        refused("[profile.a]\ninherits = \"b\"\n[profile.b]\ninherits = \"a\"\n", &["--profile", "a"]),
        refused("[profile.default]\nparallel = 1.5\n", &[]),
        refused("profiles = 3\n", &[]),
        refused("", &["--config", "missing.toml"]),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
#[cfg(unix)]
fn a_link_to_a_missing_file_is_an_error() {
    let program = kube_assay(&["run", "--clause", CLAUSE]);
    std::os::unix::fs::symlink("missing.toml", program.folder().join("kube-assay.toml")).unwrap();
    let refused = program.end().ended_with(2);
    assert!(refused.error().contains("failed to read kube-assay.toml"), "{}", refused.err);
}

#[test]
fn a_file_of_more_than_a_megabyte_is_an_error() {
    let program = kube_assay(&["run", "--clause", CLAUSE]);
    program.file("kube-assay.toml", &"# a comment\n".repeat(100_000));
    let refused = program.end().ended_with(2);
    assert!(refused.error().contains("kube-assay.toml cannot be used: it is longer"), "{}", refused.err);
}

#[test]
fn a_chain_of_profiles_has_an_end() {
    let link = |number: usize| format!("[profile.p{number}]\ninherits = \"p{}\"\n", number + 1);
    let file: String = (0..100).map(link).collect::<String>() + "[profile.p100]\nparallel = 3\n";
    let program = kube_assay(&["run", "--profile", "p0"]);
    program.file("kube-assay.toml", &file);
    let refused = program.end().ended_with(2);
    assert!(refused.error().contains("inherited through more than 32 profiles"), "{}", refused.err);
}

#[test]
fn the_environment_names_a_server_and_flags_outrank_it() {
    let reference = Reference::right();
    let run = |arguments: &[&str]| {
        let program = kube_assay(&["run", "--clause", CLAUSE]).with(arguments);
        program.env("KUBE_ASSAY_SERVER", reference.url()).env("KUBE_ASSAY_TOKEN", reference.token()).end()
    };
    let ended = run(&[]).ended_with(0);
    assert!(ended.err.contains(&reference.url()), "{}", ended.err);
    assert!(!ended.everything().contains(reference.token()), "the token is shown");
    assert!(run(&["--kubeconfig", "missing"]).ended_with(2).error().contains("missing"));
    assert!(run(&["--server", "http://127.0.0.1:1"]).ended_with(3).err.contains("127.0.0.1:1"));
}

#[test]
fn credentials_in_the_environment_alone_name_no_server() {
    let ended = kube_assay(&["run", "--clause", CLAUSE]).env("KUBE_ASSAY_TOKEN", "s3cr3t-token").end();
    let ended = ended.ended_with(0);
    assert!(ended.report("summary.json").contains("\"embedded\": true"), "{}", ended.err);
    let help = kube_assay(&["run", "--help"]).env("KUBE_ASSAY_TOKEN", "s3cr3t-token").end().ended_with(0);
    assert!(help.out.contains("KUBE_ASSAY_TOKEN") && !help.out.contains("s3cr3t-token"), "{}", help.out);
}

#[test]
fn a_variable_that_is_no_text_is_named() {
    let no_text = OsStr::from_bytes(b"\xff");
    let ended = kube_assay(&["run"]).env("KUBE_ASSAY_SERVER", no_text).end().ended_with(2);
    assert!(ended.err.contains("note: the variable KUBE_ASSAY_SERVER is no text"), "{}", ended.err);
}

/// Without a server, the run would be one of the embedded reference, and no test of the server.
#[test]
fn an_empty_variable_is_named() {
    let run = |arguments: &[&str], variable: &str| {
        kube_assay(&["run", "--clause", CLAUSE]).with(arguments).env(variable, "").end()
    };
    let refused = run(&[], "KUBE_ASSAY_SERVER").ended_with(2).error();
    assert!(refused.contains("the variable KUBE_ASSAY_SERVER is empty"), "{refused}");
    let refused = run(&["--server", "http://127.0.0.1:1"], "KUBE_ASSAY_TOKEN").ended_with(2).error();
    assert!(refused.contains("the variable KUBE_ASSAY_TOKEN is empty"), "{refused}");
    run(&[], "KUBE_ASSAY_TOKEN").ended_with(0);
    let blank = kube_assay(&["run"]).env("KUBE_ASSAY_SERVER", " ").end().ended_with(2).error();
    assert!(blank.contains("its URL is blank"), "{blank}");
    assert!(blank.contains("--server comes from the variable KUBE_ASSAY_SERVER"), "{blank}");
}

#[test]
fn an_error_says_where_the_value_of_a_flag_comes_from() {
    let file = |text: &str| {
        let program = kube_assay(&["run", "--clause", CLAUSE]);
        program.file("kube-assay.toml", text);
        program
            .env("KUBE_ASSAY_SERVER", "http://127.0.0.1:1")
            .env("KUBE_ASSAY_TOKEN", " ")
            .end()
            .ended_with(2)
    };
    for value in ["0", "\"many\""] {
        let of_file = file(&format!("[profile.default]\nparallel = {value}\n"));
        let note = "note: --parallel comes from the key \"parallel\" in kube-assay.toml";
        assert!(of_file.err.contains(note), "{}", of_file.err);
    }
    let of_variable = file("").error();
    assert!(of_variable.contains("; --token comes from the variable KUBE_ASSAY_TOKEN"), "{of_variable}");
    let given = kube_assay(&["run", "--server", "http://127.0.0.1:1", "--token", " "]).end().error();
    assert!(!given.contains("comes from"), "{given}");
}

#[test]
fn a_file_may_begin_with_a_byte_order_mark() {
    let program = kube_assay(&["run"]);
    program.file("kube-assay.toml", &format!("\u{feff}[profile.default]\nclause = [\"{CLAUSE}\"]\n"));
    assert!(flags(&program.end().ended_with(0)).contains(&format!("--clause={CLAUSE}")));
}

#[test]
fn a_token_in_the_environment_goes_with_a_target_of_the_file() {
    let reference = Reference::right();
    let text = format!("[target.mine]\nserver = \"{}\"\n", reference.url());
    let program = with_file(&reference, &text, &["--clause", CLAUSE, "--target", "mine"]);
    let program =
        program.env("KUBE_ASSAY_TOKEN", reference.token()).env("KUBE_ASSAY_SERVER", "http://127.0.0.1:1");
    let ended = program.end().ended_with(0);
    assert!(ended.err.contains(&reference.url()), "{}", ended.err);
}

#[test]
fn colours_are_a_choice() {
    let list = |when: &str| {
        let program = kube_assay(&["run", "--clause", CLAUSE, "--color", when]).env("NO_COLOR", "1");
        program.end().ended_with(0).out
    };
    assert!(list("always").contains("\u{1b}["));
    assert!(!list("auto").contains("\u{1b}[") && !list("never").contains("\u{1b}["));
}

#[test]
fn help_and_errors_have_the_chosen_colours() {
    for arguments in [&["run", "--help"][..], &["run", "--no-such"]] {
        let shown = |when: &str| {
            let ended = kube_assay(arguments).with(&["--color", when]).end();
            [ended.out, ended.err].concat()
        };
        assert!(shown("always").contains("\u{1b}["), "{arguments:?}");
        assert!(!shown("never").contains("\u{1b}[") && !shown("auto").contains("\u{1b}["), "{arguments:?}");
    }
}

#[test]
fn a_target_that_names_no_server_is_no_wish_for_the_embedded_one() {
    for command in [&["run", "--clause", CLAUSE][..], &["load", "crud-mix"], &["clean"]] {
        for entry in ["", "in-cluster = false\n", "tls-server-name = \"a\"\n"] {
            let program = kube_assay(command).with(&["--target", "a"]);
            program.file("kube-assay.toml", &format!("[target.a]\n{entry}"));
            let refused = program.end().ended_with(2);
            assert!(refused.err.contains("target a names no server"), "{}", refused.err);
        }
    }
}
