//! Strategy of Services: defaults, retained allocations and validation.

use serde_json::{Value, json};

use super::workload::default;
use crate::failure::Cause;

/// The service types.
const TYPES: &[&str] = &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

/// Sets the defaults of a service.
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

/// Keeps the allocated cluster IPs in an update, or removes them from an `ExternalName` service.
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

/// Keeps allocated node ports for type `NodePort`, and releases them after a change to another type.
fn update_ports(old: &Value, spec: &mut Value) {
    let (has_node_ports, same_type) = (spec["type"] == "NodePort", spec["type"] == old["type"]);
    let allocated = |port: &Value| {
        let mut ports = old["ports"].as_array().into_iter().flatten();
        let before = ports.find(|before| before["port"] == port["port"]);
        before.map(|before| before["nodePort"].clone()).unwrap_or_default()
    };
    for port in spec.get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten() {
        let number = allocated(port);
        if has_node_ports && !number.is_null() {
            default(port, "nodePort", number);
        } else if !has_node_ports && !same_type && port["nodePort"] == number {
            super::remove(port, "nodePort");
        }
    }
}

/// The validation errors of a service.
pub(super) fn validate(service: &Value) -> Vec<Cause> {
    let spec = &service["spec"];
    let ports = spec["ports"].as_array().into_iter().flatten().enumerate();
    let mut causes: Vec<Cause> = ports.flat_map(|(index, port)| port_errors(index, port)).collect();
    let ty = &spec["type"];
    if !TYPES.iter().any(|known| ty == known) {
        causes.push(Cause::not_supported("spec.type", &ty.to_string(), TYPES));
    }
    causes
}

fn port_errors(index: usize, port: &Value) -> Vec<Cause> {
    let fields = ["port", "targetPort"].into_iter();
    let invalid =
        fields.filter(|field| port[*field].as_i64().is_some_and(|number| !(1..=65_535).contains(&number)));
    let detail = "must be between 1 and 65535, inclusive";
    invalid
        .map(|field| Cause::invalid(format!("spec.ports[{index}].{field}"), &port[field], detail))
        .collect()
}
