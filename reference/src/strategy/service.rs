//! Services: what is valid in them.

use serde_json::Value;

use crate::failure::Cause;

/// What a Service can be.
const TYPES: &[&str] = &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

/// What is wrong with a Service.
pub(super) fn validate(object: &Value) -> Vec<Cause> {
    let spec = &object["spec"];
    let ports = spec["ports"].as_array().into_iter().flatten().enumerate();
    let mut causes: Vec<Cause> = ports.flat_map(|(index, port)| wrong_port(index, port)).collect();
    let ty = &spec["type"];
    if !ty.is_null() && !TYPES.iter().any(|known| ty == known) {
        causes.push(Cause::not_supported("spec.type", &ty.to_string(), TYPES));
    }
    causes
}

/// A port is that of its target, too, unless that has one of its own.
fn wrong_port(index: usize, port: &Value) -> Vec<Cause> {
    let number = &port["port"];
    let target = Some(&port["targetPort"]).filter(|target| !target.is_null()).unwrap_or(number);
    let fields = [("port", number), ("targetPort", target)].into_iter();
    let wrong =
        fields.filter(|(_, value)| value.as_i64().is_some_and(|number| !(1..=65_535).contains(&number)));
    let why = "must be between 1 and 65535, inclusive";
    wrong.map(|(field, value)| Cause::invalid(format!("spec.ports[{index}].{field}"), value, why)).collect()
}
