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

/// The list has exactly these objects, in any order.
fn expect_items(listed: &Exchange, expected: &[&str]) -> Result<Page, Halt> {
    let page = listed.page()?;
    let names: BTreeSet<_> = page.own_names().into_iter().collect();
    let same = names == expected.iter().copied().collect();
    listed.expect(same, format!("the items {expected:?}"), format!("{:?}", page.own_names()))?;
    Ok(page)
}

/// A Pod template with these labels.
fn template(labels: &Value) -> Value {
    let container = json!({ "name": "none", "image": "kube-assay.invalid/none:1" });
    json!({ "metadata": { "labels": labels }, "spec": { "containers": [container] } })
}

/// The response is the created object with this value at a JSON pointer.
fn expect_at(created: &Exchange, pointer: &str, expected: &Value) -> Checked {
    created.expect_status(&[201])?;
    let object = created.object()?;
    let actual = object.json().pointer(pointer).unwrap_or(&Value::Null);
    created.expect(actual == expected, format!("{pointer} {expected}"), actual.to_string())
}
