//! The response to a dry run.

use super::dry;
use super::parameter::writes;
use crate::prelude::*;

rows![
    dryrun_response_like_real,
    dryrun_normal_status_code,
    dryrun_returns_final_object,
    dryrun_patch_merged,
    dryrun_defaults_applied.own_kinds()
];

/// Metadata that the server generates for each request.
const GENERATED: [&str; 4] = ["uid", "resourceVersion", "creationTimestamp", "managedFields"];

/// An object without generated metadata.
fn without_generated(object: &Value) -> Value {
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

    let actual = tried.object()?;
    let allocated = |object: &Object| {
        let mut object = without_generated(object.json());
        // Fields that differ between two real objects are allocated, such as the address of a Service.
        forget_differences(&mut object["spec"], &real.json()["spec"], &another.json()["spec"]);
        object
    };
    let (actual, expected) = (allocated(&actual), allocated(&real));
    tried.expect(actual == expected, expected.to_string(), actual.to_string())
}

/// Sets the values to null that differ between two other objects.
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
    for (request, _) in writes(&stored) {
        let tried = cx.send(dry(request.clone())).await?;
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
    let patched = cx.send(dry(stored.patch(JSON, &annotate))).await?;

    for (response, value) in [(put, "second"), (merged, "third")] {
        let object = response.object()?;
        let expected = format!("the value {value:?}");
        response.expect(object.value() == value, expected, format!("{:?}", object.value()))?;
    }
    patched.expect_value("/metadata/annotations/assay", &json!("third"))
}

async fn dryrun_patch_merged(cx: Context, stored: StoredObject) -> Checked {
    stored.change(&json!({ "metadata": { "labels": { "first": "yes" } } })).await?;

    let patch = json!({ "metadata": { "labels": { "second": "yes" } } });
    let tried = cx.send(dry(Request::merge_patch(stored.path(), &patch))).await?;

    let labels = tried.object()?.json()["metadata"]["labels"].clone();
    let both = ["first", "second"].iter().all(|label| labels[label] == "yes");
    tried.expect(both, "the labels first and second", labels.to_string())
}

async fn dryrun_defaults_applied(cx: Context) -> Checked {
    let secrets = cx.collection(Resource::core("secrets", "Secret")).await?;
    let body = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": NAME } });

    let tried = cx.send(dry(Request::post(secrets.path(), &body))).await?;

    tried.expect_value("/type", &json!("Opaque"))?;
    secrets.get(NAME).await?.expect_status(&[404])
}
