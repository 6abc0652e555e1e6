//! Pod admission: default tolerations for not-ready and unreachable nodes.

use serde_json::{Value, json};

/// How long, in seconds.
const STAYS: u64 = 300;

/// Adds what a pod does not say of nodes in trouble.
pub(super) fn tolerate(pod: &mut Value) {
    for taint in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerations = &mut pod["spec"]["tolerations"];
        if tolerations.is_null() {
            *tolerations = json!([]);
        }
        let Some(tolerations) = tolerations.as_array_mut() else { return };
        let heeds = |known: &Value| known["key"] == taint || known["key"].as_str().is_none_or(str::is_empty);
        if !tolerations.iter().any(heeds) {
            tolerations.push(json!({
                "key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": STAYS,
            }));
        }
    }
}
