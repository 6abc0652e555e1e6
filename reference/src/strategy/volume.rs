//! Strategy of `PersistentVolumes`.

use serde_json::{Value, json};

use super::workload::default;

/// Sets the defaults.
pub(super) fn complete(object: &mut Value) {
    let spec = &mut object["spec"];
    default(spec, "persistentVolumeReclaimPolicy", json!("Retain"));
    default(spec, "volumeMode", json!("Filesystem"));
    if spec["hostPath"].is_object() {
        default(&mut spec["hostPath"], "type", json!(""));
    }
}
