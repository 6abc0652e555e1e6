//! Strategic merge patches: lists that are replaced, lists that are united, and what is removed.

use harness::{Context, Halt, Suite};
use serde_json::json;

use crate::deployments;
use crate::finalizers::{self, HOLD, WAIT, and_release};
use crate::forms::{self, STRATEGIC};
use crate::stored::NAME;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("verbs-strategic-merge-atomic-lists", a_list_that_does_not_merge_is_replaced)
        .scenario("verbs-strategic-merge-primitive-lists", a_set_is_united_and_its_elements_removed_on_demand)
        .scenario("verbs-strategic-merge-null-removes", null_removes_a_label)
}

async fn a_list_that_does_not_merge_is_replaced(cx: Context) -> Result<(), Halt> {
    let things = deployments::collection(&cx).await?;
    let mut body = deployments::body(NAME);
    body["spec"]["template"]["spec"]["containers"][0]["args"] = json!(["a", "b"]);
    things.create_body(&body).await?;

    let containers = json!([{ "name": "a", "args": ["c"] }]);
    let patch = json!({ "spec": { "template": { "spec": { "containers": containers } } } });
    let patched = forms::patched(&cx, &things, STRATEGIC, &patch).await?;

    for answer in [patched, things.get(NAME).await?] {
        let object = answer.object()?;
        let args = &object.json()["spec"]["template"]["spec"]["containers"][0]["args"];
        answer.expect(*args == json!(["c"]), "the arguments [\"c\"]", args.to_string())?;
    }
    Ok(())
}

async fn a_set_is_united_and_its_elements_removed_on_demand(cx: Context) -> Result<(), Halt> {
    let things = cx.configmaps().await?;
    let mut body = things.body(NAME, "first");
    body["metadata"]["finalizers"] = json!([HOLD]);
    things.create_body(&body).await?;

    and_release(&things, async {
        let united = forms::patched(&cx, &things, STRATEGIC, &finalizers::set(&[WAIT])).await?;
        finalizers::expect(&united, &[HOLD, WAIT])?;
        let remove = json!({ "metadata": { "$deleteFromPrimitiveList/finalizers": [HOLD] } });
        let removed = forms::patched(&cx, &things, STRATEGIC, &remove).await?;
        finalizers::expect(&removed, &[WAIT])?;
        finalizers::expect(&*things.get(NAME).await?, &[WAIT])
    })
    .await
}

async fn null_removes_a_label(cx: Context) -> Result<(), Halt> {
    let things = cx.configmaps().await?;
    let mut body = things.body(NAME, "first");
    body["metadata"]["labels"] = json!({ "a": "1", "b": "2" });
    things.create_body(&body).await?;

    let patch = json!({ "metadata": { "labels": { "a": null } } });
    let patched = forms::patched(&cx, &things, STRATEGIC, &patch).await?;

    for answer in [patched, things.get(NAME).await?] {
        let labels = answer.object()?.json()["metadata"]["labels"].clone();
        answer.expect(labels == json!({ "b": "2" }), "the label b alone", labels.to_string())?;
    }
    Ok(())
}
