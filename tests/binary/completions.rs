//! Completion in the shells that are installed, from the script that the program prints for each.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::support::kube_assay;

/// An unfinished command line, and all proposals for its last word.
const LINES: [(&[&str], &[&str]); 13] = [
    (&["list", "c"], &["clauses", "coverage"]),
    (&["run", "--kubec"], &["--kubeconfig"]),
    (&["run", "--no-such"], &[]),
    (&["run", "--level", "m"], &["must", "may"]),
    (
        &["run", "--clause", "patch-type-apply"],
        &["patch-type-apply-accepted", "patch-type-apply-accepts-json"],
    ),
    (&["run", "--area", "watch", "--area", "pagi"], &["pagination"]),
    (&["--color", "never", "run", "--no-feature", "WatchListC"], &["WatchListCompression"]),
    (&["explain", "patch-type-m"], &["patch-type-merge-accepted"]),
    (&["report", "events.jsonl", "--verdict", "not"], &["not-supported"]),
    (&["serve", "--fault", "patch-type-m"], &["patch-type-merge-accepted"]),
    (&["serve", "--bug", "kubernetes-5854"], &["kubernetes-58545"]),
    (&["load", "watch"], &["watch-fanout", "watch-list"]),
    (&["load", "crud-mix", "--slo", "k8s"], &["k8s-official"]),
];

/// Prints the proposals of bash, as bash gets them.
const IN_BASH: &str = r#"source "$0"
complete=$(complete -p kube-assay); complete=${complete##*-F }
COMP_WORDS=(kube-assay "$@"); COMP_CWORD=$#; COMP_TYPE=9
"${complete%% *}" kube-assay "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
[ "${#COMPREPLY[@]}" -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}""#;

/// Prints the proposals of fish.
const IN_FISH: &str = "source $argv[1]; complete -C \"kube-assay $argv[2..]\"";

/// Prints the proposals of zsh at the first call of a script in its path; the name of the file is `_kube-assay`.
const IN_ZSH: &str = r#"_describe() { print -rl -- "${(@P)3}" }
compdef() { }
fpath=(${0:h}); autoload -Uz _kube-assay
words=(kube-assay "$@"); CURRENT=${#words}
_kube-assay"#;

/// Prints the proposals for kubectl; the last line is a number for it.
const FOR_KUBECTL: &str = r#"sh "$0" "$@" | sed '$d'"#;

/// A folder with a script and the program, under all its names.
fn installed(completer: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let script = kube_assay(&["completions", completer]).end().ended_with(0).out;
    std::fs::write(folder.path().join("_kube-assay"), script).unwrap();
    for name in ["kube-assay", "kubectl-assay"] {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kube-assay"), folder.path().join(name)).unwrap();
    }
    folder
}

/// The proposals without their meanings, one a line.
fn proposals(shell: &[&str], folder: &Path, words: &[&str]) -> Vec<String> {
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg(folder.join("_kube-assay")).args(words);
    command.current_dir(folder).env_clear().env("PATH", path).env("HOME", folder).env("TERM", "dumb");
    let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let word = |line: &str| line.split(['\t', ':']).next().unwrap_or_default().to_owned();
    out.lines().filter(|line| !line.is_empty()).map(word).collect()
}

fn check(completer: &str, shell: &[&str]) {
    if Command::new(shell[0]).args(["-c", "true"]).output().is_err() {
        let notice = format!("SKIPPED: {} is not installed, so it completed nothing", shell[0]);
        let _ = writeln!(std::io::stderr(), "{notice}");
        return;
    }
    let folder = installed(completer);
    for (words, expected) in LINES {
        assert_eq!(proposals(shell, folder.path(), words), expected, "{completer}: {words:?}");
    }
}

#[test]
fn bash_completes_commands_flags_and_names() {
    check("bash", &["bash", "--norc", "-c", IN_BASH]);
}

#[test]
fn fish_completes_commands_flags_and_names() {
    check("fish", &["fish", "--no-config", "-c", IN_FISH]);
}

#[test]
fn zsh_completes_commands_flags_and_names() {
    check("zsh", &["zsh", "-f", "-c", IN_ZSH]);
}

#[test]
fn kubectl_gets_commands_flags_and_names() {
    check("kubectl", &["sh", "-c", FOR_KUBECTL]);
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = kube_assay(&["completions", shell]).end().ended_with(0).out;
        assert!(script.contains("kube-assay") && script.contains("KUBE_ASSAY_COMPLETE"), "{shell}");
    }
    kube_assay(&["completions", "tcsh"]).end().ended_with(2);
}

#[test]
fn an_unknown_shell_gets_an_error() {
    insta::assert_snapshot!(kube_assay(&["run"]).env("KUBE_ASSAY_COMPLETE", "tcsh").end().error());
}
