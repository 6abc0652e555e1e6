//! Services that are there: what was allocated to them stays, unless their type has no use for it.

use serde_json::Value;

/// Puts right what an update says, or does not say, of what is allocated.
pub(super) fn update(current: &Value, service: &mut Value) {
    let (old, spec) = (&current["spec"], &mut service["spec"]);
    for (field, value) in
        [("type", "ClusterIP"), ("sessionAffinity", "None"), ("internalTrafficPolicy", "Cluster")]
    {
        if spec[field].is_null() && !(field == "internalTrafficPolicy" && spec["type"] == "ExternalName") {
            spec[field] = value.into();
        }
    }
    if spec["type"] == "ExternalName" {
        for field in ["clusterIP", "clusterIPs"] {
            if spec[field] == old[field] {
                super::remove(spec, field);
            }
        }
    } else {
        for field in ["clusterIP", "clusterIPs"] {
            if spec[field].is_null() && !old[field].is_null() {
                spec[field] = old[field].clone();
            }
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
    for port in spec["ports"].as_array_mut().into_iter().flatten() {
        let number = allocated(port);
        if port["protocol"].is_null() {
            port["protocol"] = "TCP".into();
        }
        if port["targetPort"].is_null() {
            port["targetPort"] = port["port"].clone();
        }
        if keeps && port["nodePort"].is_null() && !number.is_null() {
            port["nodePort"] = number;
        } else if !keeps && !same_type && port["nodePort"] == number {
            super::remove(port, "nodePort");
        }
    }
}
