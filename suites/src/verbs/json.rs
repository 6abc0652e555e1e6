//! JSON Patch.

use crate::finalizers::{self, HOLD, STAY, WAIT, and_release};
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;
use crate::unchanged_object::expect_unchanged;

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
        let patch =
            patch_types::raw_patch(&collection, NAME, JSON, &string_map::operations(&collection, OPERATIONS));
        let patched = cx.send(patch).await?;
        let after = [("k", Some("v")), ("a", Some("2")), ("b", None), ("c", Some("1")), ("gone", None)];
        string_map::expect_stored(&collection, NAME, &patched, &after).await?;

        let list = json!([
            { "op": "add", "path": "/metadata/finalizers/-", "value": STAY },
            { "op": "add", "path": "/metadata/finalizers/0", "value": WAIT },
        ]);
        let patched = patch_types::patched(&cx, &collection, JSON, &list).await?;
        let object = patched.object()?;
        let shown = finalizers::of(&object);
        patched.expect(shown == [WAIT, HOLD, STAY], format!("{:?}", [WAIT, HOLD, STAY]), format!("{shown:?}"))
    })
    .await
}

/// The one with a slash in its name.
const SLASHED: &str = "kube-assay.dev/escaped";

async fn verbs_json_patch_pointer_escapes(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["metadata"]["annotations"]["kube-assay"] = json!("yes");
    collection.create_body(&body).await?;
    let at = |name: &str| format!("/metadata/annotations/{name}");

    let add = json!([{ "op": "add", "path": at("kube-assay.dev~1escaped"), "value": "1" }]);
    let patched = patch_types::patched(&cx, &collection, JSON, &add).await?;
    let shown = patched.object()?.json()["metadata"]["annotations"][SLASHED].clone();
    patched.expect(shown == "1", format!("the annotation {SLASHED}: 1"), shown.to_string())?;

    // What stands for a tilde and a one stands for no slash: there is no such annotation.
    let before = collection.get(NAME).object().await?;
    let remove = json!([{ "op": "remove", "path": at("kube-assay.dev~01escaped") }]);
    patch_types::patched(&cx, &collection, JSON, &remove).await?.expect_refusal(&[422])?;
    expect_unchanged(&collection, NAME, &before).await?;
    a_tilde_is_escaped(&cx).await
}

/// Only maps of custom types may have a tilde in their names.
async fn a_tilde_is_escaped(cx: &Context) -> Checked {
    let collection = match cx.custom_resources().await {
        Err(Halt::Skipped(why)) => {
            cx.note(why);
            return Ok(());
        }
        collection => collection?,
    };
    let mut body = collection.body("tilde", "first");
    body["spec"]["map"] = json!({ "a": "1" });
    collection.create_body(&body).await?;

    let add: Value = json!([{ "op": "add", "path": "/spec/map/b~0c", "value": "2" }]);
    let patched = cx.send(patch_types::patch(&collection, "tilde", JSON, &add)).await?;

    let shown = patched.object()?.json()["spec"]["map"].clone();
    let expected = json!({ "a": "1", "b~c": "2" });
    patched.expect(shown == expected, format!("spec.map {expected}"), shown.to_string())
}
