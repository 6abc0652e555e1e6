//! Credential plugins and token files, and the errors of broken ones.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::http::response;
use crate::support::{Authority, Ended, Program, Proxy, Reference, Reply, kube_assay, until};

/// Runs against a reference with a shell script as the credential plugin.
fn plugged(reference: &Reference, script: &str) -> Ended {
    exec(reference, &json!({ "command": "sh", "args": ["-c", script] }))
}

fn exec(reference: &Reference, plugin: &Value) -> Ended {
    let ended = test_run(&reference.url(), plugin).end();
    assert!(!ended.everything().contains("s3cr3t"), "{}", ended.everything());
    ended
}

fn test_run(url: &str, plugin: &Value) -> Program {
    configured(kube_assay(&["run", "--clause", "rv-list-nomatch-nolimit-unset"]), url, plugin)
}

/// Gives a program the kubeconfig of a server and a credential plugin.
fn configured(program: Program, url: &str, plugin: &Value) -> Program {
    let mut plugin = plugin.clone();
    plugin["apiVersion"] = json!("client.authentication.k8s.io/v1");
    plugin["interactiveMode"] = json!("Never");
    let config = json!({
        "clusters": [{ "name": "c", "cluster": { "server": url } }],
        "users": [{ "name": "u", "user": { "exec": plugin } }],
        "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
        "current-context": "here",
    });
    let path = program.file("config", &config.to_string());
    program.with(&["--kubeconfig", &path])
}

fn credential(status: &Value) -> String {
    let credential = json!({ "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status });
    format!("echo x >> calls; echo '{credential}'")
}

#[test]
fn a_plugin_returns_a_token_and_runs_once() {
    let reference = Reference::right();
    let script = credential(&json!({ "token": reference.token() }));
    let ended = plugged(&reference, &script).ended_with(0);
    assert_eq!(std::fs::read_to_string(ended.folder().join("calls")).unwrap().lines().count(), 1);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A session may end before its token expires. The run does not need the response of `/readyz`.
#[test]
fn a_plugin_runs_again_for_a_token_that_the_server_refuses() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", "/readyz") => Reply::Bytes(response("401 Unauthorized", "text/plain", "Unauthorized")),
        _ => Reply::Pass,
    });
    let script = credential(&json!({ "token": reference.token() }));
    let plugin = json!({ "command": "sh", "args": ["-c", script] });
    let ended = test_run(&proxy.url(), &plugin).end().ended_with(0);
    assert_eq!(std::fs::read_to_string(ended.folder().join("calls")).unwrap().lines().count(), 2);
}

#[test]
fn a_plugin_runs_again_for_a_token_that_the_server_refuses_under_load() {
    let reference = Reference::right();
    let is_read = |method: &str, path: &str| method == "GET" && path.contains("/configmaps/o");
    let refusal = || Reply::Bytes(response("401 Unauthorized", "text/plain", "Unauthorized"));
    let proxy = Proxy::but_first(&reference, is_read, refusal);
    let script = credential(&json!({ "token": reference.token() }));
    let load = ["load", "crud-mix", "--objects", "20", "--rate", "20", "--duration", "2s"];
    let program = kube_assay(&load).with(&["--threshold", "failed<=50%"]);
    let plugin = json!({ "command": "sh", "args": ["-c", script] });
    let ended = configured(program, &proxy.url(), &plugin).end().ended_with(0);
    assert_eq!(std::fs::read_to_string(ended.folder().join("calls")).unwrap().lines().count(), 2);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_plugin_gives_a_token_for_a_time() {
    let reference = Reference::right();
    let status = json!({ "token": reference.token(), "expirationTimestamp": "2100-01-01T00:00:00Z" });
    plugged(&reference, &credential(&status)).ended_with(0);
}

/// The server does not trust the first certificate, which has expired when the first request leaves.
#[test]
fn a_client_certificate_that_a_plugin_renews_is_used() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let url = format!("https://{}", authority.guard_mutually(&reference.address()));
    let script = "cat now && if [ -f next ]; then mv next now; fi";
    let version = "client.authentication.k8s.io/v1";
    let exec =
        json!({ "command": "sh", "args": ["-c", script], "apiVersion": version, "interactiveMode": "Never" });
    let config = json!({
        "clusters": [{ "name": "c", "cluster": { "server": url, "insecure-skip-tls-verify": true } }],
        "users": [{ "name": "u", "user": { "exec": exec } }],
        "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
        "current-context": "here",
    });
    for arguments in [
        &["run", "--clause", "rv-list-nomatch-nolimit-unset"][..],
        &["load", "crud-mix", "--objects", "20", "--rate", "20", "--duration", "1s"],
    ] {
        let program = kube_assay(arguments);
        for (name, issuer) in [("now", &Authority::new()), ("next", &authority)] {
            let me = issuer.certify("me");
            let status = json!({
                "clientCertificateData": me.certificate,
                "clientKeyData": me.key,
                "token": reference.token(),
                "expirationTimestamp": "2000-01-01T00:00:00Z",
            });
            let credential = json!({ "apiVersion": version, "kind": "ExecCredential", "status": status });
            program.file(name, &credential.to_string());
        }
        let path = program.file("config", &config.to_string());
        program.with(&["--kubeconfig", &path]).end().ended_with(0);
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

#[test]
fn a_plugin_that_is_not_there() {
    let mut errors = Vec::new();
    let reference = Reference::right();
    let ended = exec(&reference, &json!({ "command": "no-such-plugin" }));
    errors.push(ended.error());
    let ended = exec(&reference, &json!({ "command": "no-such-plugin", "installHint": "buy it" }));
    errors.push(ended.error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_plugin_that_fails() {
    let reference = Reference::right();
    let ended = plugged(&reference, "echo s3cr3t-token; exit 7");
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_plugin_that_prints_something_else() {
    let mut errors = Vec::new();
    let reference = Reference::right();
    let ended = plugged(&reference, "echo '{\"kind\": [\"s3cr3t-token\"'");
    errors.push(ended.error());
    errors.push(plugged(&reference, &credential(&json!({}))).error());
    let late = credential(&json!({ "token": "s3cr3t-token", "expirationTimestamp": "soon" }));
    errors.push(plugged(&reference, &late).error());
    let half = credential(&json!({ "token": "s3cr3t-token", "clientCertificateData": "s3cr3t-certificate" }));
    errors.push(plugged(&reference, &half).error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_plugin_that_prints_a_gigabyte_does_not_fill_our_memory() {
    let reference = Reference::right();
    let script = "yes s3cr3t-token | head -c 1000000000";
    let mut running = test_run(&reference.url(), &json!({ "command": "sh", "args": ["-c", script] })).start();
    let peak = running.peak_memory();
    insta::assert_snapshot!(running.end().error());
    assert!(peak < 80 << 20, "{} MB", peak >> 20);
}

#[test]
fn a_removed_auth_provider_has_a_hint() {
    let mut errors = Vec::new();
    for provider in [json!({}), json!({ "cmd-path": "sh", "cmd-args": "-c true" })] {
        let config = json!({
            "clusters": [{ "name": "c", "cluster": { "server": "http://127.0.0.1:1" } }],
            "users": [{ "name": "u", "user": { "auth-provider": { "name": "gcp", "config": provider } } }],
            "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
            "current-context": "here",
        });
        let program = kube_assay(&["run", "--clause", "rv-list-nomatch-nolimit-unset"]);
        let path = program.file("config", &config.to_string());
        errors.push(program.with(&["--kubeconfig", &path]).end().error());
    }
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_plugin_that_never_ends_can_be_interrupted() {
    let reference = Reference::right();
    // It ends with its parent.
    let script = "touch begun; while kill -0 $PPID; do sleep 0.1; done";
    let program = test_run(&reference.url(), &json!({ "command": "sh", "args": ["-c", script] }));
    let begun = program.folder().join("begun");
    let running = program.start();
    until(|| begun.exists());
    running.signal("INT");
    insta::assert_snapshot!(running.end().error());
}

#[test]
fn a_token_file() {
    let reference = Reference::right();
    let program = Program::testing(&reference.url());
    let token = program.file("token", &format!("{}\n", reference.token()));
    program.with(&["--token-file", &token]).end().ended_with(0);
}

#[test]
fn a_token_from_a_pipe() {
    let reference = Reference::right();
    let program = Program::testing(&reference.url());
    let pipe = program.folder().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let running = program.with(&["--token-file", pipe.to_str().unwrap()]).start();
    // It waits for a reader.
    std::fs::write(&pipe, reference.token()).unwrap();
    running.end().ended_with(0);
}

#[test]
fn a_token_file_that_holds_none() {
    let test_run = || Program::testing("http://127.0.0.1:1");
    let ended = test_run().with(&["--token-file", "gone"]).end();
    let mut errors = vec![ended.error()];
    for content in [" \n", "s3cr3t\ns3cr3t"] {
        let program = test_run();
        let path = program.file("token", content);
        let ended = program.with(&["--token-file", &path]).end();
        assert!(!ended.everything().contains("s3cr3t"));
        errors.push(ended.error());
    }
    let ended = test_run().with(&["--token", "s3cr3t\ntoken"]).end();
    errors.push(ended.error());
    for blank in ["", " "] {
        errors.push(test_run().with(&["--token", blank]).end().error());
    }
    insta::assert_snapshot!(errors.join("\n"));
    assert!(!ended.everything().contains("s3cr3t"));
}

/// The plugin ends after the timeout of a request, whose time it has not.
#[test]
fn a_plugin_may_take_longer_than_a_request() {
    let reference = Reference::right();
    let issued = credential(&json!({ "token": reference.token() }));
    let plugin = json!({
        "command": "sh",
        "args": ["-c", format!("sleep 6; {issued}")],
        "apiVersion": "client.authentication.k8s.io/v1",
        "interactiveMode": "Never",
    });
    let config = json!({
        "clusters": [{ "name": "c", "cluster": { "server": reference.url() } }],
        "users": [{ "name": "u", "user": { "exec": plugin } }],
        "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
        "current-context": "here",
    });
    for command in ["clean", "removals"] {
        let program = kube_assay(&[command, "--request-timeout", "5s"]);
        let path = program.file("config", &config.to_string());
        program.with(&["--kubeconfig", &path]).end().ended_with(0);
    }
}
