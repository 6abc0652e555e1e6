//! Defaults of types without validation of their own.

use serde_json::{Value, json};

use super::workload::default;

/// A priority level has 30 shares; zero shares are a value.
pub(super) fn complete_priority_level(level: &mut Value) {
    if let Some(limited) = level["spec"].get_mut("limited").filter(|limited| limited.is_object()) {
        default(limited, "nominalConcurrencyShares", json!(30));
        default(limited, "lendablePercent", json!(0));
    }
    if level["status"].is_null() {
        level["status"] = json!({});
    }
}

/// Clients cannot write the topology that an endpoint had before v1.
pub(super) fn complete_endpoint_slice(slice: &mut Value) {
    let endpoints = slice.get_mut("endpoints").and_then(Value::as_array_mut);
    for endpoint in endpoints.into_iter().flatten() {
        super::remove(endpoint, "deprecatedTopology");
        default(endpoint, "conditions", json!({}));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_shares_stay_and_a_topology_does_not() {
        let shares = |limited: Value| {
            let mut level = json!({ "spec": { "limited": limited } });
            complete_priority_level(&mut level);
            level["spec"]["limited"]["nominalConcurrencyShares"].clone()
        };
        assert_eq!(
            (shares(json!({})), shares(json!({ "nominalConcurrencyShares": 0 }))),
            (json!(30), json!(0))
        );
        let mut slice = json!({ "endpoints": [{ "deprecatedTopology": { "a": "b" }, "zone": "z" }] });
        complete_endpoint_slice(&mut slice);
        assert_eq!(slice["endpoints"], json!([{ "zone": "z", "conditions": {} }]));
    }
}
