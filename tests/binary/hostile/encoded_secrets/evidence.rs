//! Full evidence has every byte that a server sent, except the credentials.

use serde_json::{Value, json};

use super::{TOO_MANY, call_as, decoded, echoing, in_an_error, in_objects, returning_key};
use crate::support::evidence::{evidence, lines};
use crate::support::{Authority, Ended, Program, Reference, kube_assay};

const RECORDED: [&str; 6] = ["run", "--clause", "rv-list-nomatch-nolimit-unset", "--evidence", "full", "-v"];

const TOKEN: &str = "s3cr3t/t0ken+of_mine";

/// No part of the secret is in the evidence, which has what the proxy returned.
#[track_caller]
fn assert_absent(run: &Ended, secret: &str) {
    let lines = lines(&evidence(run));
    assert!(lines.contains("***") && lines.contains("/configmaps"), "{lines}");
    let decoded = decoded(&lines);
    assert!(!decoded.contains(&secret[..TOO_MANY]), "{lines}");
}

/// A run with this user of a kubeconfig has no part of the secret in its evidence.
#[track_caller]
fn assert_absent_for(user: &Value, secret: &str) {
    for reply in [in_an_error, in_objects] {
        let reference = Reference::right();
        assert_absent(&call_as(&RECORDED, &echoing(&reference, reply), user), secret);
    }
}

/// A run that gets its credential from the command line or the environment.
#[track_caller]
fn assert_absent_with(credential: impl Fn(Program) -> Program, secret: &str) {
    let reference = Reference::right();
    let proxy = echoing(&reference, in_an_error);
    let run = credential(kube_assay(&RECORDED).with(&["--server", &proxy.url()]));
    assert_absent(&run.end(), secret);
}

#[test]
fn a_token_of_a_flag() {
    assert_absent_with(|run| run.with(&["--token", TOKEN]), TOKEN);
}

#[test]
fn a_token_of_a_file() {
    let with_file = |run: Program| {
        let path = run.file("token", TOKEN);
        run.with(&["--token-file", &path])
    };
    assert_absent_with(with_file, TOKEN);
}

#[test]
fn a_token_of_the_environment() {
    assert_absent_with(|run| run.env("KUBE_ASSAY_TOKEN", TOKEN), TOKEN);
}

#[test]
fn a_token_of_a_kubeconfig() {
    assert_absent_for(&json!({ "token": TOKEN }), TOKEN);
}

#[test]
fn a_token_of_a_file_of_a_kubeconfig() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    std::fs::write(&path, TOKEN).unwrap();
    assert_absent_for(&json!({ "tokenFile": path }), TOKEN);
}

#[test]
fn a_user_with_a_password() {
    let password = "p4ssw0rd:of&mine";
    assert_absent_for(&json!({ "username": "somebody", "password": password }), password);
}

#[test]
fn a_token_of_a_plugin() {
    assert_absent_for(&json!({ "exec": plugin(&json!({ "token": TOKEN })) }), TOKEN);
}

/// The plugin runs again for each request, and gives another token.
#[test]
fn the_tokens_of_a_plugin_that_are_renewed() {
    let script = r#"echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t0ken-of-a-plugin-'$$'","expirationTimestamp":"2000-01-01T00:00:00Z"}}'"#;
    let mut plugin = plugin(&Value::Null);
    plugin["command"] = "sh".into();
    plugin["args"] = json!(["-c", script]);
    assert_absent_for(&json!({ "exec": plugin }), "t0ken-of-a-plugin-");
}

#[test]
fn a_token_of_an_auth_provider() {
    let provider = json!({ "name": "oidc", "config": { "id-token": TOKEN, "client-id": "x", "client-secret": "unused-secret" } });
    assert_absent_for(&json!({ "auth-provider": provider }), TOKEN);
}

/// No server should know the key of a client certificate; this one returns it.
#[test]
fn a_client_key_of_a_kubeconfig_or_a_plugin() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    let me = Authority::new().certify("me");
    let line = me.key.lines().nth(1).unwrap();
    let reference = Reference::right();
    let in_the_kubeconfig = json!({
        "client-certificate-data": STANDARD.encode(&me.certificate),
        "client-key-data": STANDARD.encode(&me.key),
        "token": reference.token(),
    });
    let status = json!({
        "clientCertificateData": me.certificate, "clientKeyData": me.key, "token": reference.token(),
    });
    for user in [in_the_kubeconfig, json!({ "exec": plugin(&status) })] {
        let run = call_as(&RECORDED, &returning_key(&reference, &me.key), &user);
        assert_absent(&run, line);
        assert_absent(&run, reference.token());
    }
}

/// A credential plugin that prints this status.
fn plugin(status: &Value) -> Value {
    let version = "client.authentication.k8s.io/v1";
    let credential = json!({ "apiVersion": version, "kind": "ExecCredential", "status": status });
    json!({
        "apiVersion": version,
        "interactiveMode": "Never",
        "command": "printf",
        "args": ["%s", credential.to_string()],
    })
}

/// A scenario has the token issued, and sends it.
#[test]
fn a_token_that_the_server_issued() {
    let reference = Reference::right();
    let run = kube_assay(&["run", "--clause", "client-libraries-in-cluster-service-account"])
        .with(&["--server", &reference.url(), "--token", reference.token(), "--evidence", "full"])
        .end()
        .ended_with(0);
    let lines = lines(&evidence(&run));
    assert!(lines.contains("serviceaccounts/") && lines.contains("***"), "{lines}");
    assert!(!decoded(&lines).contains("issued-"), "{lines}");
}
