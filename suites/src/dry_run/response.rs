//! The response to a dry run.

use super::dry;
use crate::prelude::*;

rows![
    dryrun_response_like_real,
    dryrun_normal_status_code,
    dryrun_returns_final_object,
    dryrun_patch_merged,
    dryrun_defaults_applied.own_kinds()
];

/// What is made anew for each request.
const GENERATED: [&str; 4] = ["uid", "resourceVersion", "creationTimestamp", "managedFields"];

/// An object without what is made anew for each request.
fn lasting(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.retain(|field, _| !GENERATED.contains(&field.as_str()));
    }
    object
}

async fn dryrun_response_like_real(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    let tried = cx.send(dry(create.clone())).await?;
    let real = cx.send(create).await?.written()?;
    let another = collection.create("b").await?;

    let shown = tried.object()?;
    let allocated = |object: &Object| {
        let mut object = lasting(object.json());
        // What differs between two real objects, as the address of a Service does, is made for each of them.
        forget_differences(&mut object["spec"], &real.json()["spec"], &another.json()["spec"]);
        object
    };
    let (shown, expected) = (allocated(&shown), allocated(&real));
    tried.expect(shown == expected, expected.to_string(), shown.to_string())
}

/// Takes the values away that two other objects do not share.
fn forget_differences(value: &mut Value, one: &Value, other: &Value) {
    match (value, one, other) {
        (_, one, other) if one == other => {}
        (Value::Object(fields), Value::Object(_), Value::Object(_)) => {
            for (field, value) in fields {
                forget_differences(value, &one[field], &other[field]);
            }
        }
        (value, ..) => *value = Value::Null,
    }
}

async fn dryrun_normal_status_code(cx: Context, stored: StoredObject) -> Checked {
    let create = Request::post(stored.collection.path(), &stored.collection.body("b", "first"));
    let change = Request::merge_patch(stored.path(), &stored.collection.change("third"));

    for request in
        [create, Request::put(stored.path(), &stored.body("second")), change, Request::delete(stored.path())]
    {
        let tried = cx.send(dry(request.clone())).await?;
        // The update was the first of two, and gives the patch nothing to trip over.
        let real = cx.send(request).await?;

        real.written()?;
        tried.expect_status(&[real.status()])?;
    }
    Ok(())
}

async fn dryrun_returns_final_object(cx: Context, stored: StoredObject) -> Checked {
    let annotate = json!([{ "op": "add", "path": "/metadata/annotations", "value": { "assay": "third" } }]);

    let put = cx.send(dry(Request::put(stored.path(), &stored.body("second")))).await?;
    let merged =
        cx.send(dry(Request::merge_patch(stored.path(), &stored.collection.change("third")))).await?;
    let patched = cx.send(dry(stored.patch("application/json-patch+json", &annotate))).await?;

    for (answer, value) in [(put, "second"), (merged, "third")] {
        let shown = answer.object()?;
        answer.expect(
            shown.value() == value,
            format!("the value {value:?}"),
            format!("{:?}", shown.value()),
        )?;
    }
    let shown = patched.object()?.json()["metadata"]["annotations"]["assay"].clone();
    patched.expect(shown == "third", "the annotation third", shown.to_string())
}

async fn dryrun_patch_merged(cx: Context, stored: StoredObject) -> Checked {
    stored.change(&json!({ "metadata": { "labels": { "first": "yes" } } })).await?;

    let patch = json!({ "metadata": { "labels": { "second": "yes" } } });
    let tried = cx.send(dry(Request::merge_patch(stored.path(), &patch))).await?;

    let shown = tried.object()?.json()["metadata"]["labels"].clone();
    let both = ["first", "second"].iter().all(|label| shown[label] == "yes");
    tried.expect(both, "the label that was there, and the one of the patch", shown.to_string())
}

async fn dryrun_defaults_applied(cx: Context) -> Checked {
    let secrets = cx.collection(harness::Resource::core("secrets", "Secret")).await?;
    let body = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": NAME } });

    let tried = cx.send(dry(Request::post(secrets.path(), &body))).await?;

    let shown = tried.object()?.json()["type"].clone();
    tried.expect(shown == "Opaque", "a Secret of type Opaque, which is the default", shown.to_string())?;
    secrets.get(NAME).await?.expect_status(&[404])
}
