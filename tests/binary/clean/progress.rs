//! What a terminal shows while `clean` removes objects.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::support::{Proxy, Reference, Reply};

#[test]
fn a_terminal_shows_how_many_objects_are_left_and_then_the_result() {
    let reference = Reference::right();
    let labels = json!({ "kube-assay/run": "k3f9x2" });
    let metadata = json!({ "name": "left", "labels": labels });
    let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });
    reference.create("/api/v1/namespaces/default/configmaps", &object);
    // The response takes longer than the pause between two lines.
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("DELETE", _) => Reply::Drip(Duration::from_millis(5)),
        _ => Reply::Pass,
    });
    let program = env!("CARGO_BIN_EXE_kube-assay");
    let line = format!("'{program}' clean --server '{}' --token '{}'", proxy.url(), reference.token());
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    command.env("TERM", "xterm").stdin(Stdio::null());
    // Not every system has it.
    let Ok(ended) = command.output() else { return };
    let shown = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{shown}");
    assert!(shown.contains(" s: 1 object left"), "{shown}");
    let result = "\r\u{1b}[2Kremoved /api/v1/namespaces/default/configmaps/left\r\n";
    assert!(shown.contains(result), "{shown}");
}
