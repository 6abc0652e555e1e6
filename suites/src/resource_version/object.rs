//! The `resourceVersion` of an object.

use harness::decimal;

use crate::fields::remove;
use crate::patch_types;
use crate::prelude::*;

rows![
    rv_identifies_server_version.namespaced(),
    rv_changes_on_change.namespaced(),
    rv_unchanged_without_change.namespaced(),
    rv_not_client_writable.namespaced(),
    rv_create_with_rv_rejected.namespaced(),
    rv_in_object_metadata.namespaced(),
];

async fn rv_identifies_server_version(collection: Collection) -> Checked {
    collection.create("a").await?;
    let mut seen: Vec<Object> = Vec::new();
    for value in ["second", "third", "fourth", "fifth", "sixth"] {
        collection.write("a", value).await?;

        let first = collection.get("a").object().await?;
        let again = collection.get("a").await?;

        let object = again.object()?;
        let version = object.version();
        let other = seen
            .iter()
            .chain([&first])
            .find(|other| other.version() == version && other.untyped() != object.untyped());
        let actual = format!("{:?} and {:?}", other.map_or("", Object::value), object.value());
        again.expect(other.is_none(), format!("one content only at version {version}"), actual)?;
        let expected = format!("version {} as before: no write between", first.version());
        again.expect(version == first.version(), expected, version)?;
        seen.push(object);
    }
    Ok(())
}

async fn rv_changes_on_change(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let changes = [
        ("a label", json!({ "metadata": { "labels": { "assay": "changed" } } })),
        ("an annotation", json!({ "metadata": { "annotations": { "assay": "changed" } } })),
        ("the content", collection.change("second")),
    ];
    for (what, change) in changes {
        let before = collection.get("a").object().await?;
        collection.patch("a", &change).await?;
        expect_other_version(&cx, what, &before, &*collection.get("a").await?)?;
    }
    change_status(&cx, &collection).await?;
    change_ownership(&cx, &collection).await?;
    change_finalizers(&cx, &collection).await
}

/// Changes the status of the object, or that of the scenario's namespace where the status of the type is not known.
async fn change_status(cx: &Context, collection: &Collection) -> Checked {
    let (path, status) = match collection.status_change("changed") {
        Ok(status) if collection.has_status() => (collection.path_of("a"), status),
        _ => (
            format!("/api/v1/namespaces/{}", cx.namespace().await?),
            json!({ "status": { "conditions": [{ "type": "Assayed", "status": "True" }] } }),
        ),
    };

    let before = cx.send(Request::get(&path)).await?.object()?;
    let patch = Request::merge_patch(format!("{path}/status"), &status);
    if cx.send_if_offered(patch).await?.is_none() {
        return Ok(());
    }

    expect_other_version(cx, "the status", &before, &*cx.send(Request::get(path)).await?)
}

/// An apply of the same value by another manager. Not every server offers apply, or tracks managed fields.
async fn change_ownership(cx: &Context, collection: &Collection) -> Checked {
    let before = collection.get("a").object().await?;
    let apply = patch_types::apply(collection, "a", "kube-assay-other", &collection.body("a", "second"));
    let applied = cx.send_if_offered(apply).await?;
    let got = collection.get("a").await?;

    if applied.is_some() && content(&before) != content(&got.object()?) {
        return expect_other_version(cx, "the owners of a field", &before, &got);
    }
    cx.note("changes of ownership not tested: an apply by another manager changes nothing");
    Ok(())
}

async fn change_finalizers(cx: &Context, collection: &Collection) -> Checked {
    let finalizers = |value: Value| json!({ "metadata": { "finalizers": value } });
    let before = collection.get("a").object().await?;
    collection.patch("a", &finalizers(json!(["kube-assay.dev/hold"]))).await?;
    let held = collection.get("a").await?;
    collection.delete("a").await?;
    let deleted = collection.get("a").await?;
    collection.patch("a", &finalizers(Value::Null)).await?;

    expect_other_version(cx, "the finalizers", &before, &held)?;
    expect_other_version(cx, "the deletionTimestamp", &held.object()?, &deleted)
}

/// The object and its resourceVersion have changed. An unchanged object is a test error: other scenarios test it.
fn expect_other_version(cx: &Context, what: &str, before: &Object, after: &Exchange) -> Checked {
    let object = after.object()?;
    if content(before) == content(&object) {
        let action = format!("change {what} of {}", before.name());
        return Err(cx.test_error(action, "the object is unchanged").into());
    }
    let expected = format!("a resourceVersion other than {} after a change of {what}", before.version());
    after.expect(object.version() != before.version(), expected, object.version())
}

/// The object without its version.
pub(super) fn content(object: &Object) -> Value {
    let mut content = object.untyped();
    if let Some(metadata) = content.get_mut("metadata") {
        remove(metadata, "resourceVersion");
    }
    content
}

async fn rv_unchanged_without_change(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let before = collection.get("a").object().await?;
    for value in ["second", "third", "fourth"] {
        collection.write("b", value).await?;
    }

    let got = [collection.get("a").await?, collection.get("a").at(before.version()).retry_on_504().await?];

    got.iter().try_for_each(|got| expect_version(got, before.version()))
}

fn expect_version(got: &Exchange, version: &str) -> Checked {
    let object = got.object()?;
    got.expect(object.version() == version, format!("the object at version {version}"), got.brief())
}

async fn rv_not_client_writable(cx: Context, collection: Collection) -> Checked {
    let created = collection.create("a").await?;
    let future = decimal(created.version()).map(|number| (number + 1_000_000).to_string());
    // Where future versions are unknown, the version of another object.
    let other = collection.create("b").await?;
    let version = future.as_deref().unwrap_or(other.version());
    let body = created.with(&json!({ "metadata": { "resourceVersion": version } }))?;

    let patch = cx.send(Request::merge_patch(collection.path_of("a"), &body)).await?;
    let put = cx.send(Request::put(collection.path_of("a"), &body)).await?;
    let got = collection.get("a").await?;

    for response in [&patch, &put] {
        response.expect_rejection(&[409])?;
    }
    expect_version(&got, created.version())
}

async fn rv_create_with_rv_rejected(cx: Context, collection: Collection) -> Checked {
    let other = collection.create("a").await?;
    let create =
        post_with(&collection, "b", |body| body["metadata"]["resourceVersion"] = other.version().into());

    let response = cx.send(create).await?;

    // kube-apiserver returns 500.
    let expected = "an error: a create with a resourceVersion";
    response.expect(response.status() >= 400, expected, response.brief())?;
    expect_absent(&collection, "b").await
}

async fn rv_in_object_metadata(cx: Context, collection: Collection) -> Checked {
    let path = collection.path_of("a");

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;
    let created = expect_stored_version(&collection, &created).await?;
    let patched = cx.send(Request::merge_patch(&path, &collection.change("second"))).await?;
    let patched = expect_stored_version(&collection, &patched).await?;
    let change = json!({ "resourceVersion": patched.version(), "labels": { "assay": "changed" } });
    let body = created.with(&json!({ "metadata": change }))?;
    let put = cx.send(Request::put(&path, &body)).await?;
    expect_stored_version(&collection, &put).await.map(drop)
}

/// The response to a write has a version, the same as a later GET.
async fn expect_stored_version(collection: &Collection, response: &Exchange) -> Result<Object, Halt> {
    let object = response.written()?;
    response.expect(!object.version().is_empty(), "an object with a resourceVersion", response.brief())?;
    expect_version(&*collection.get("a").await?, object.version())?;
    Ok(object)
}
