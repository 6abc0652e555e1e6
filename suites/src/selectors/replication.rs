//! Replication controllers: who says nothing selects what its template makes.

use std::sync::Arc;

use harness::{Context, Exchange, Halt, Request, Resource, Suite};
use serde_json::{Value, json};

use super::{expect_at, template};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("selectors-replicationcontroller-selector-default", the_labels_of_a_template_select)
        .scenario("selectors-replicationcontroller-labels-default", the_labels_of_a_template_are_taken_over)
        .scenario("selectors-defaults-only-if-unset", what_is_said_is_kept)
}

/// The labels of the template.
fn labels() -> Value {
    json!({ "app": "x", "extra": "y" })
}

/// Creates a replication controller of nothing. Skips where the server has none.
async fn create(cx: &Context, labels_of_its_own: &Value, selector: &Value) -> Result<Arc<Exchange>, Halt> {
    let resource = Resource::core("replicationcontrollers", "ReplicationController");
    let controllers = cx.collection(resource).await?;
    let body = json!({
        "apiVersion": "v1",
        "kind": "ReplicationController",
        "metadata": { "name": "a", "labels": labels_of_its_own },
        "spec": { "replicas": 0, "selector": selector, "template": template(&labels()) },
    });
    cx.send(Request::post(controllers.path(), &body)).await
}

async fn the_labels_of_a_template_select(cx: Context) -> Result<(), Halt> {
    let created = create(&cx, &Value::Null, &Value::Null).await?;

    created.expect_status(&[201])?;
    expect_at(&created, "/spec/selector", &labels())
}

async fn the_labels_of_a_template_are_taken_over(cx: Context) -> Result<(), Halt> {
    let created = create(&cx, &Value::Null, &Value::Null).await?;

    created.expect_status(&[201])?;
    expect_at(&created, "/metadata/labels", &labels())
}

async fn what_is_said_is_kept(cx: Context) -> Result<(), Halt> {
    let (own, selector) = (json!({ "mine": "yes" }), json!({ "app": "x" }));

    let created = create(&cx, &own, &selector).await?;

    created.expect_status(&[201])?;
    expect_at(&created, "/metadata/labels", &own)?;
    expect_at(&created, "/spec/selector", &selector)
}
