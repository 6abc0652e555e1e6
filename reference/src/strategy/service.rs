//! Services: what is filled in. Their addresses are admission's.

use serde_json::{Value, json};

/// Fills in what a service does not say.
pub(super) fn complete(service: &mut Value) {
    let spec = &mut service["spec"];
    for (field, value) in
        [("type", "ClusterIP"), ("sessionAffinity", "None"), ("internalTrafficPolicy", "Cluster")]
    {
        default(spec, field, value.into());
    }
    for port in spec.get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten() {
        default(port, "protocol", "TCP".into());
        let number = port["port"].clone();
        default(port, "targetPort", number);
    }
    if service["status"].is_null() {
        service["status"] = json!({});
    }
    default(&mut service["status"], "loadBalancer", json!({}));
}

fn default(object: &mut Value, field: &str, value: Value) {
    if object[field].is_null() {
        object[field] = value;
    }
}
