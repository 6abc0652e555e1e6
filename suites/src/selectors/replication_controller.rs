//! Selectors of `ReplicationControllers`.

use super::{expect_at, template};
use crate::prelude::*;

rows![
    selectors_replicationcontroller_selector_default.own_kinds(),
    selectors_replicationcontroller_labels_default.own_kinds(),
    selectors_defaults_only_if_unset.own_kinds(),
];

/// The labels of the template.
fn labels() -> Value {
    json!({ "app": "x", "extra": "y" })
}

/// Creates a replication controller without replicas. Skips where the server does not serve them.
async fn create(cx: &Context, own_labels: &Value, selector: &Value) -> Result<Arc<Exchange>, Halt> {
    let resource = Resource::core("replicationcontrollers", "ReplicationController");
    let controllers = cx.collection(resource).await?;
    let body = json!({
        "apiVersion": "v1",
        "kind": "ReplicationController",
        "metadata": { "name": "a", "labels": own_labels },
        "spec": { "replicas": 0, "selector": selector, "template": template(&labels()) },
    });
    cx.send(Request::post(controllers.path(), &body)).await
}

async fn selectors_replicationcontroller_selector_default(cx: Context) -> Checked {
    let created = create(&cx, &Value::Null, &Value::Null).await?;

    expect_at(&created, "/spec/selector", &labels())
}

async fn selectors_replicationcontroller_labels_default(cx: Context) -> Checked {
    let created = create(&cx, &Value::Null, &Value::Null).await?;

    expect_at(&created, "/metadata/labels", &labels())
}

async fn selectors_defaults_only_if_unset(cx: Context) -> Checked {
    let (own, selector) = (json!({ "mine": "yes" }), json!({ "app": "x" }));

    let created = create(&cx, &own, &selector).await?;

    expect_at(&created, "/metadata/labels", &own)?;
    expect_at(&created, "/spec/selector", &selector)
}
