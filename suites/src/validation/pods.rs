//! Validation of Pods.

use super::expect_cause;
use crate::pods;
use crate::prelude::*;

rows![validation_required_empty_string_core.own_kinds(), validation_field_path_reference.own_kinds()];

/// Those of the scenario's namespace, and the account that they need.
async fn arrange(cx: &Context) -> Result<Collection, Halt> {
    let pods = pods::collection(cx).await?;
    pods::create_account(cx, &pods).await?;
    Ok(pods)
}

/// A create of a Pod with this in its container.
async fn create(
    cx: &Context,
    pods: &Collection,
    name: &str,
    field: &str,
    value: Value,
) -> Result<Arc<Exchange>, Halt> {
    let mut body = pods::idle(name);
    body["spec"]["containers"][0][field] = value;
    cx.send(Request::post(pods.path(), &body)).await
}

async fn validation_required_empty_string_core(cx: Context) -> Checked {
    let pods = arrange(&cx).await?;

    let refused = create(&cx, &pods, "a", "name", json!("")).await?;

    expect_cause(&refused, "spec.containers[0].name", "FieldValueRequired").map(drop)
}

async fn validation_field_path_reference(cx: Context) -> Checked {
    let pods = arrange(&cx).await?;
    let variable =
        |path: &str| json!([{ "name": "FIELD", "valueFrom": { "fieldRef": { "fieldPath": path } } }]);

    for (name, path) in [("a", "metadata.name"), ("b", "metadata.labels['a']")] {
        create(&cx, &pods, name, "env", variable(path)).await?.expect_status(&[201])?;
    }
    for path in [".metadata.name", "metadata.nosuch"] {
        let refused = create(&cx, &pods, "c", "env", variable(path)).await?;

        let status = refused.expect_error(&[422], &["Invalid"])?;
        let named = status["details"]["causes"].to_string();
        let reference = "spec.containers[0].env[0].valueFrom.fieldRef";
        refused.expect(named.contains(reference), format!("a cause below {reference}"), named.as_str())?;
    }
    Ok(())
}
