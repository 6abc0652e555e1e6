//! Plugins that are scripts: what they print, and when they run again.

use kube_client::config::ExecAuthCluster;

use super::*;

const V1: &str = "client.authentication.k8s.io/v1";

fn plugin(script: &str) -> Plugin {
    let words = ["-c", script].map(str::to_owned).to_vec();
    let exec = serde_json::json!({
        "apiVersion": V1, "command": "sh", "args": words, "interactiveMode": "Never",
    });
    Plugin::new(serde_json::from_value(exec).unwrap())
}

/// A plugin that prints a credential with this status, in JSON.
fn issuing(status: &str) -> Plugin {
    plugin(&printing(status))
}

/// The script that prints it.
fn printing(status: &str) -> String {
    format!(r#"echo '{{"apiVersion":"{V1}","kind":"ExecCredential","status":{status}}}'"#)
}

#[test]
fn a_plugin_gets_a_cluster_only_if_the_kubeconfig_provides_it() {
    let spec = |plugin: &Plugin| {
        let command = plugin.command("sh");
        let mut variables = command.as_std().get_envs();
        let info = variables.find_map(|(name, value)| value.filter(|_| name == "KUBERNETES_EXEC_INFO"));
        let info: serde_json::Value = serde_json::from_str(info.unwrap().to_str().unwrap()).unwrap();
        info["spec"].clone()
    };
    let mut plugin = plugin("exit 0");
    assert_eq!(spec(&plugin), serde_json::json!({ "interactive": false }));
    plugin.exec.cluster = Some(ExecAuthCluster::default());
    assert!(spec(&plugin)["cluster"].is_object());
}

#[tokio::test]
async fn a_plugin_that_hangs_is_given_up() {
    let hanging = Plugin { within: Duration::from_millis(100), ..plugin("exec sleep 1000") };
    let refused = hanging.header().await.unwrap_err();
    assert_eq!(refused.cause, "it did not end within 0.1 s");
}

#[cfg(unix)]
#[tokio::test]
async fn what_a_hanging_plugin_has_started_ends_with_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let script = format!("(while :; do echo >> {}; sleep 0.01; done) & wait", file.path().display());
    let hanging = Plugin { within: Duration::from_millis(300), ..plugin(&script) };
    hanging.header().await.unwrap_err();
    let length = || file.as_file().metadata().unwrap().len();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let before = length();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(before > 0 && length() == before, "{before}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_plugin_has_ended_although_what_it_leaves_in_the_background_keeps_its_output_open() {
    let script = format!("{}; sleep 1000 &", printing(r#"{"token":"'$$'"}"#));
    let leaving = Plugin { within: Duration::from_secs(10), ..plugin(&script) };
    let header = leaving.header().await.unwrap().unwrap();
    // The token is the number of the first process, and so that of the group.
    let first = header.to_str().unwrap().strip_prefix("Bearer ").unwrap().parse().unwrap();
    drop(ProcessGroup(Some(first)));
}

#[tokio::test]
async fn a_credential_is_json_or_yaml_and_asked_for_again_when_it_expires() {
    let status = "{token: \"'$$'\", expirationTimestamp: \"2000-01-01T00:00:00Z\"}";
    let yaml = format!("{{apiVersion: {V1}, kind: ExecCredential, status: {status}}}");
    let expired = plugin(&format!("echo '{yaml}'"));
    let [one, other] = [expired.header().await.unwrap(), expired.header().await.unwrap()];
    assert!(one.is_some() && one != other, "it holds the number of the process");
    let lasting = issuing(r#"{"token":"'$$'"}"#);
    assert_eq!(lasting.header().await.unwrap(), lasting.header().await.unwrap());
}

#[test]
fn a_short_lived_credential_is_used_for_half_of_its_time() {
    let used = [7200, 60, 40, 0, -60].map(|left| used_for(SignedDuration::from_secs(left)).as_secs());
    assert_eq!(used, [7140, 30, 20, 0, 0]);
}

#[test]
fn a_credential_may_expire_at_the_last_second_that_can_be_written() {
    for never in ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999999-12:00", "9999-12-30T00:00:00Z"] {
        assert!(until(never).is_ok_and(|until| until > Instant::now()), "{never}");
    }
    for wrong in ["9999-12-31T23:59:59", "9999-13-31T23:59:59Z", "9999-12-31", "never"] {
        assert!(until(wrong).is_err(), "{wrong}");
    }
}

#[tokio::test]
async fn a_certificate_needs_no_token_and_its_key() {
    let pair = issuing(r#"{"clientCertificateData":"c","clientKeyData":"k"}"#);
    assert_eq!(pair.header().await.unwrap(), None);
    assert!(pair.identity().is_some_and(|identity| identity.certificate == "c" && identity.key == "k"));
    let names = ["clientCertificateData", "clientKeyData"];
    for [field, missing] in [names, [names[1], names[0]]] {
        let half = issuing(&format!(r#"{{"token":"t","{field}":"c","{missing}":""}}"#));
        let refused = half.header().await.unwrap_err();
        assert_eq!(refused.cause, format!("it printed {field} without {missing}"));
    }
}

#[tokio::test]
async fn a_certificate_is_renewed_when_it_expires() {
    let expired = |certificate: &str| {
        let fields = format!(r#""clientCertificateData":"{certificate}","clientKeyData":"k""#);
        issuing(&format!(r#"{{{fields},"expirationTimestamp":"2000-01-01T00:00:00Z"}}"#))
    };
    for (certificate, different) in [("'$$'", 2), ("c", 1)] {
        let plugin = expired(certificate);
        plugin.header().await.unwrap();
        let first = plugin.identity();
        plugin.header().await.unwrap();
        assert_eq!(plugin.issued_certificates(), different);
        assert_eq!(plugin.identity() == first, different == 1);
    }
}

#[tokio::test]
async fn a_credential_of_another_version_than_the_kubeconfig_names_is_refused() {
    let (named, mut other) = (issuing(r#"{"token":"t"}"#), issuing(r#"{"token":"t"}"#));
    assert!(named.header().await.unwrap().is_some());
    other.exec.api_version = Some(format!("{V1}beta1"));
    let refused = other.header().await.unwrap_err();
    assert_eq!(refused.cause, format!("it did not print an ExecCredential of {V1}beta1"));
}

#[tokio::test]
async fn a_plugin_that_always_talks_to_a_person_needs_a_terminal() {
    let plugin = plugin("exit 0");
    let exec = ExecConfig { interactive_mode: Some(ExecInteractiveMode::Always), ..plugin.exec };
    let refused = Plugin { exec, interactive: false, ..plugin }.header().await.unwrap_err();
    assert!(refused.cause.contains("standard input is no terminal"), "{}", refused.cause);
}

#[tokio::test]
async fn a_refused_credential_is_renewed_once() {
    let lasting = issuing(r#"{"token":"'$$'"}"#);
    let first = lasting.header().await.unwrap();
    lasting.refused();
    let second = lasting.header().await.unwrap();
    assert_ne!(first, second, "it holds the number of the process");
    lasting.refused();
    assert_eq!(lasting.header().await.unwrap(), second, "the server refuses whatever it gives");
}

#[tokio::test]
async fn a_refused_credential_stays_where_the_plugin_fails() {
    let mut failing = issuing(r#"{"token":"t"}"#);
    let first = failing.header().await.unwrap();
    failing.exec = plugin("exit 1").exec;
    failing.refused();
    assert_eq!(failing.header().await.unwrap(), first);
}
