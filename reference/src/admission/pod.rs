//! Pod admission: default tolerations for not-ready and unreachable nodes.

use serde_json::{Value, json};

/// The toleration time in seconds.
const TOLERATION_SECONDS: u64 = 300;

/// Adds the default tolerations for node failures.
pub(super) fn tolerate(pod: &mut Value) {
    for taint in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerations = &mut pod["spec"]["tolerations"];
        if tolerations.is_null() {
            *tolerations = json!([]);
        }
        let Some(tolerations) = tolerations.as_array_mut() else { return };
        let tolerates = |toleration: &Value| {
            toleration["key"] == taint || toleration["key"].as_str().is_none_or(str::is_empty)
        };
        if !tolerations.iter().any(tolerates) {
            tolerations.push(json!({
                "key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": TOLERATION_SECONDS,
            }));
        }
    }
}
