//! JSON Patch.

use super::or_note;
use crate::finalizers::{self, HOLD, STAY, WAIT, and_release};
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;

rows![verbs_json_patch_operations, verbs_json_patch_pointer_escapes];

const OPERATIONS: &str = r#"[
    {"op":"test","path":"@/k","value":"v"},
    {"op":"add","path":"@/a","value":"1"},
    {"op":"copy","from":"@/a","path":"@/b"},
    {"op":"move","from":"@/b","path":"@/c"},
    {"op":"replace","path":"@/a","value":"2"},
    {"op":"remove","path":"@/gone"}
]"#;

async fn verbs_json_patch_operations(cx: Context, collection: Collection) -> Checked {
    let mut body = string_map::body(&collection, NAME, &[("k", "v"), ("gone", "yes")]);
    body["metadata"]["finalizers"] = json!([HOLD]);
    collection.create_body(&body).await?;

    and_release(&collection, async {
        let operations = string_map::operations(&collection, OPERATIONS);
        let response = cx.send(patch_types::raw_patch(&collection, NAME, JSON, &operations)).await?;
        let texts = [("k", Some("v")), ("a", Some("2")), ("b", None), ("c", Some("1")), ("gone", None)];
        string_map::expect_stored(&collection, NAME, &response, &texts).await?;

        let list = json!([
            { "op": "add", "path": "/metadata/finalizers/-", "value": STAY },
            { "op": "add", "path": "/metadata/finalizers/0", "value": WAIT },
        ]);
        let response = patch_types::patched(&cx, &collection, JSON, &list).await?;
        let (expected, object) = ([WAIT, HOLD, STAY], response.object()?);
        let actual = finalizers::of(&object);
        response.expect(actual == expected, format!("the finalizers {expected:?}"), format!("{actual:?}"))
    })
    .await
}

/// An annotation with a slash in its name.
const WITH_SLASH: &str = "kube-assay.dev/escaped";

async fn verbs_json_patch_pointer_escapes(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["metadata"]["annotations"]["kube-assay"] = json!("yes");
    collection.create_body(&body).await?;
    let path = |name: &str| format!("/metadata/annotations/{name}");

    let add = json!([{ "op": "add", "path": path("kube-assay.dev~1escaped"), "value": "1" }]);
    let response = patch_types::patched(&cx, &collection, JSON, &add).await?;
    let actual = response.object()?.json()["metadata"]["annotations"][WITH_SLASH].clone();
    response.expect(actual == "1", format!("the annotation {WITH_SLASH}: 1"), actual.to_string())?;

    // `~01` is `~1`, not a slash: the object has no such annotation.
    let stored = StoredObject::read(&cx, collection).await?;
    let remove = json!([{ "op": "remove", "path": path("kube-assay.dev~01escaped") }]);
    cx.send(stored.patch(JSON, &remove)).await?.expect_rejection(&[422])?;
    stored.expect_unchanged().await?;
    expect_tilde_escaped(&cx).await
}

/// Only maps of custom types allow a tilde in a key.
async fn expect_tilde_escaped(cx: &Context) -> Checked {
    let Some(collection) = or_note(cx, cx.custom_resources().await)? else { return Ok(()) };
    let mut body = collection.body("tilde", "first");
    body["spec"]["map"] = json!({ "a": "1" });
    collection.create_body(&body).await?;

    let add: Value = json!([{ "op": "add", "path": "/spec/map/b~0c", "value": "2" }]);
    let response = cx.send(patch_types::patch(&collection, "tilde", JSON, &add)).await?;

    let actual = response.object()?.json()["spec"]["map"].clone();
    let expected = json!({ "a": "1", "b~c": "2" });
    response.expect(actual == expected, format!("spec.map {expected}"), actual.to_string())
}
