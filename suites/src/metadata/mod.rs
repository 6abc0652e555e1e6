//! Area `metadata`: `ObjectMeta`, field by field.

mod annotation;
mod creation;
mod deletion;
mod generation;
mod invariants;
mod label;
mod name;
mod namespace;
mod openapi;
mod pod;
mod rejections;
mod system_labels;
mod uid;

use crate::prelude::*;

suite![
    "metadata",
    invariants,
    name,
    namespace,
    uid,
    generation,
    creation,
    deletion,
    label,
    annotation,
    rejections,
    system_labels,
    openapi,
    pod
];

/// Writes a field of the metadata by PUT and by merge patch. The server rejects the write with 422, or ignores the
/// value: the response and a later GET pass the check.
async fn expect_not_writable(
    cx: &Context,
    stored: &StoredObject,
    field: &str,
    value: Value,
    check: impl Fn(&Exchange) -> Checked,
) -> Checked {
    let change = json!({ "metadata": { field: value } });
    let body = stored.again().await?.read.with(&change)?;

    for request in [Request::put(stored.path(), &body), stored.patch(MERGE, &change)] {
        let response = cx.send(request).await?;

        if response.status() == 422 {
            response.expect_rejection(&[422])?;
        } else {
            check(&response)?;
        }
        check(&*stored.get().await?)?;
    }
    Ok(())
}
