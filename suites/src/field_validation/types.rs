//! Values of the wrong type.

use super::post;
use crate::finalizers::HOLD;
use crate::prelude::*;
use crate::unchanged_object::expect_rejected;
use crate::{deployments, string_map};

pub(super) fn rows() -> Vec<Row> {
    let number = row!(fieldval_type_number_as_text).own_kinds();
    [table(LISTS, Kinds::All, a_list_of_strings_is_required), vec![number]].concat()
}

/// An invalid value of the list of finalizers.
type Invalid = fn() -> Value;

const LISTS: &[(&str, Invalid)] =
    &[("fieldval-type-array-required", || json!(HOLD)), ("fieldval-type-array-element", || json!([1]))];

async fn a_list_of_strings_is_required(cx: Context, invalid: Invalid) -> Checked {
    let collection = cx.collection_under_test().await?;
    let mut body = collection.body("a", "first");
    body["metadata"]["finalizers"] = invalid();

    let response = cx.send(post(&collection, &body)).await?;

    if response.succeeded() {
        // The object could not be removed with finalizers.
        collection.patch("a", &json!({ "metadata": { "finalizers": null } })).await?;
        return Err(
            response.fail(format!("an error because of the finalizers {}", invalid()), response.brief())
        );
    }
    expect_rejected(&response)?;
    expect_absent(&collection, "a").await
}

/// The object with a number in its string map.
pub(super) fn with_a_number(collection: &Collection, mut object: Value) -> Value {
    let texts = object.pointer_mut(string_map::place(collection)).and_then(Value::as_object_mut);
    if let Some(texts) = texts {
        texts.insert("k".to_owned(), json!(5));
    }
    object
}

async fn fieldval_type_number_as_text(cx: Context, collection: Deployments) -> Checked {
    let mut body = deployments::body("a");
    body["spec"]["replicas"] = json!("two");

    let refused = cx.send(post(&collection, &body)).await?;
    expect_rejected(&refused)?;
    expect_absent(&collection, "a").await?;

    let custom = cx.open_custom_resources().await?;
    let refused =
        cx.send(post(&custom, &super::preserve_unknown_fields::body(&custom, "a", &json!("two")))).await?;
    expect_rejected(&refused)?;
    expect_absent(&custom, "a").await
}
