//! Services: what is filled in, and what stays that was allocated to them. Their addresses are admission's.

use serde_json::{Value, json};

use super::workload::default;

/// Fills in what a service does not say.
pub(super) fn complete(service: &mut Value) {
    let spec = &mut service["spec"];
    default(spec, "type", "ClusterIP".into());
    default(spec, "sessionAffinity", "None".into());
    if spec["type"] != "ExternalName" {
        default(spec, "internalTrafficPolicy", "Cluster".into());
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

/// Puts right what an update says, or does not say, of what is allocated: it stays, unless the type has no use for it.
pub(super) fn update(current: &Value, service: &mut Value) {
    let (old, spec) = (&current["spec"], &mut service["spec"]);
    for field in ["clusterIP", "clusterIPs"] {
        if spec["type"] != "ExternalName" && !old[field].is_null() {
            default(spec, field, old[field].clone());
        } else if spec["type"] == "ExternalName" && spec[field] == old[field] {
            super::remove(spec, field);
        }
    }
    update_ports(old, spec);
}

/// The ports of the nodes are kept by who has any, and given back by who has them no longer.
fn update_ports(old: &Value, spec: &mut Value) {
    let (keeps, same_type) = (spec["type"] == "NodePort", spec["type"] == old["type"]);
    let allocated = |port: &Value| {
        let mut ports = old["ports"].as_array().into_iter().flatten();
        let before = ports.find(|before| before["port"] == port["port"]);
        before.map(|before| before["nodePort"].clone()).unwrap_or_default()
    };
    for port in spec.get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten() {
        let number = allocated(port);
        if keeps && !number.is_null() {
            default(port, "nodePort", number);
        } else if !keeps && !same_type && port["nodePort"] == number {
            super::remove(port, "nodePort");
        }
    }
}
