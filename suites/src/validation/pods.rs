//! Validation of Pods.

use super::expect_cause;
use crate::pods::{self, Pods};
use crate::prelude::*;

rows![validation_required_empty_string_core.own_kinds(), validation_field_path_reference.own_kinds()];

/// The create of a Pod with this field of its container; not yet sent.
fn with_container_field(Pods(pods): &Pods, name: &str, field: &str, value: Value) -> Request {
    let mut body = pods::idle(name);
    body["spec"]["containers"][0][field] = value;
    Request::post(pods.path(), &body)
}

async fn validation_required_empty_string_core(cx: Context, pods: Pods) -> Checked {
    let response = cx.send(with_container_field(&pods, "a", "name", json!(""))).await?;

    expect_cause(&response, "spec.containers[0].name", "FieldValueRequired").map(drop)
}

async fn validation_field_path_reference(cx: Context, pods: Pods) -> Checked {
    let create = |name: &str, path: &str| {
        let field = json!({ "fieldRef": { "fieldPath": path } });
        cx.send(with_container_field(&pods, name, "env", json!([{ "name": "FIELD", "valueFrom": field }])))
    };

    for (name, path) in [("a", "metadata.name"), ("b", "metadata.labels['a']")] {
        create(name, path).await?.expect_status(&[201])?;
    }
    for path in [".metadata.name", "metadata.nosuch"] {
        let response = create("c", path).await?;

        let status = response.expect_error(&[422], &["Invalid"])?;
        let causes = status["details"]["causes"].to_string();
        let reference = "spec.containers[0].env[0].valueFrom.fieldRef";
        response.expect(causes.contains(reference), format!("a cause below {reference}"), causes.as_str())?;
    }
    Ok(())
}
