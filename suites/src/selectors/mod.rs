//! Area `selectors`: label and field selectors, and the selectors of workloads.

mod field;
mod job;
mod label;
mod replication_controller;
mod template;
mod types;

use std::collections::BTreeSet;

use crate::patch_types::merge_in;
use crate::prelude::*;

suite!["selectors", field, label, types, replication_controller, template, job];

/// Creates an object with these labels.
async fn create_labelled(collection: &Collection, name: &str, labels: &Value) -> Result<Object, Halt> {
    let mut body = collection.body(name, "first");
    merge_in(&mut body, &json!({ "metadata": { "labels": labels } }));
    collection.create_body(&body).await
}

/// The list shows these objects in any order, and no others.
fn expect_items(listed: &Exchange, expected: &[&str]) -> Result<Page, Halt> {
    let page = listed.page()?;
    let shown: BTreeSet<_> = page.own_names().into_iter().collect();
    let wanted: BTreeSet<_> = expected.iter().copied().collect();
    listed.expect(shown == wanted, format!("the items {expected:?}"), format!("{:?}", page.own_names()))?;
    Ok(page)
}

/// A template of Pods with these labels.
fn template(labels: &Value) -> Value {
    let container = json!({ "name": "none", "image": "kube-assay.invalid/none:1" });
    json!({ "metadata": { "labels": labels }, "spec": { "containers": [container] } })
}

/// An answer shows this at a place.
fn expect_at(answer: &Exchange, place: &str, expected: &Value) -> Checked {
    let object = answer.object()?;
    let shown = object.json().pointer(place).unwrap_or(&Value::Null);
    answer.expect(shown == expected, format!("{place} {expected}"), shown.to_string())
}
