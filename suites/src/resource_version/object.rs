//! The `resourceVersion` of an object.

use harness::decimal;

use crate::fields::remove;
use crate::patch_types::merge_in;
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

        let shown = again.object()?;
        let unlike = seen
            .iter()
            .chain([&first])
            .find(|other| other.version() == shown.version() && other.untyped() != shown.untyped());
        again.expect(
            unlike.is_none(),
            format!("one content only at version {}", shown.version()),
            format!("{:?} and {:?}", unlike.map_or("", Object::value), shown.value()),
        )?;
        let expected = format!("version {} as before: nothing was written", first.version());
        again.expect(shown.version() == first.version(), expected, shown.version())?;
        seen.push(shown);
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
        expect_another(&cx, what, &before, &*collection.get("a").await?)?;
    }
    a_change_of_the_status_gives_another_version(&cx, &collection).await?;
    a_change_of_ownership_gives_another_version(&cx, &collection).await?;
    a_change_of_finalizers_gives_another_version(&cx, &collection).await
}

/// Where it is not known what the status of the type may hold: the scenario's namespace has one.
async fn a_change_of_the_status_gives_another_version(cx: &Context, collection: &Collection) -> Checked {
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

    expect_another(cx, "the status", &before, &*cx.send(Request::get(path)).await?)
}

async fn a_change_of_ownership_gives_another_version(cx: &Context, collection: &Collection) -> Checked {
    let before = collection.get("a").object().await?;
    let body = collection.body("a", "second");
    let apply =
        Request::new(Method::PATCH, collection.path_of("a")).json("application/apply-patch+yaml", &body);
    let applied = cx.send_if_offered(apply.query("fieldManager", "kube-assay-other")).await?;
    let shown = collection.get("a").await?;

    // Not every server applies, and not every one keeps who owns what.
    if applied.is_some() && content(&before) != content(&shown.object()?) {
        return expect_another(cx, "who owns a field", &before, &shown);
    }
    cx.note("not asked about changes of ownership: an apply by another manager changes nothing here");
    Ok(())
}

async fn a_change_of_finalizers_gives_another_version(cx: &Context, collection: &Collection) -> Checked {
    let finalizers = |value: Value| json!({ "metadata": { "finalizers": value } });
    let before = collection.get("a").object().await?;
    collection.patch("a", &finalizers(json!(["kube-assay.dev/hold"]))).await?;
    let held = collection.get("a").await?;
    collection.delete("a").await?;
    let deleted = collection.get("a").await?;
    collection.patch("a", &finalizers(Value::Null)).await?;

    expect_another(cx, "the finalizers", &before, &held)?;
    expect_another(cx, "the time of deletion", &held.object()?, &deleted)
}

/// The version has changed with the object; that the object has changed is for others to ask.
fn expect_another(cx: &Context, what: &str, before: &Object, after: &Exchange) -> Checked {
    let shown = after.object()?;
    if content(before) == content(&shown) {
        return Err(cx
            .test_error(format!("change {what} of {}", before.name()), "the object is unchanged")
            .into());
    }
    after.expect(
        shown.version() != before.version(),
        format!("another version than {} after a change of {what}", before.version()),
        shown.version(),
    )
}

/// The object without its version.
fn content(object: &Object) -> Value {
    let mut content = object.untyped();
    remove(&mut content["metadata"], "resourceVersion");
    content
}

async fn rv_unchanged_without_change(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let before = collection.get("a").object().await?;
    for value in ["second", "third", "fourth"] {
        collection.write("b", value).await?;
    }

    let got = [collection.get("a").await?, collection.get("a").at(before.version()).caught_up().await?];

    got.iter().try_for_each(|got| expect_version(got, before.version()))
}

fn expect_version(got: &Exchange, version: &str) -> Checked {
    let object = got.object()?;
    got.expect(object.version() == version, format!("the object at version {version}"), got.brief())
}

async fn rv_not_client_writable(cx: Context, collection: Collection) -> Checked {
    let created = collection.create("a").await?;
    let future = decimal(created.version()).map(|number| (number + 1_000_000).to_string());
    // Where nothing can be made up, what somebody else's write has made is as wrong.
    let other = collection.create("b").await?;
    let mut body = created.json().clone();
    body["metadata"]["resourceVersion"] = json!(future.as_deref().unwrap_or(other.version()));

    let patch = cx.send(Request::merge_patch(collection.path_of("a"), &body)).await?;
    let put = cx.send(Request::put(collection.path_of("a"), &body)).await?;
    let got = collection.get("a").await?;

    for refused in [&patch, &put] {
        refused.expect_refusal(&[409])?;
    }
    expect_version(&got, created.version())
}

async fn rv_create_with_rv_rejected(cx: Context, collection: Collection) -> Checked {
    let other = collection.create("a").await?;
    let mut body = collection.body("b", "first");
    body["metadata"]["resourceVersion"] = json!(other.version());

    let created = cx.send(Request::post(collection.path(), &body)).await?;
    let got = collection.get("b").await?;

    // kube-apiserver says 500.
    created.expect(created.status() >= 400, "an error: a new object has no version yet", created.brief())?;
    got.expect_status(&[404])
}

async fn rv_in_object_metadata(cx: Context, collection: Collection) -> Checked {
    let path = collection.path_of("a");

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;
    let mut body = is_stored(&collection, &created).await?.json().clone();
    let patched = cx.send(Request::merge_patch(&path, &collection.change("second"))).await?;
    body["metadata"]["resourceVersion"] = json!(is_stored(&collection, &patched).await?.version());
    merge_in(&mut body, &json!({ "metadata": { "labels": { "assay": "changed" } } }));
    let put = cx.send(Request::put(&path, &body)).await?;
    is_stored(&collection, &put).await.map(drop)
}

/// A write's answer has a version, and a get shows the same.
async fn is_stored(collection: &Collection, answer: &Exchange) -> Result<Object, Halt> {
    let object = answer.written()?;
    answer.expect(!object.version().is_empty(), "an object with a resourceVersion", answer.brief())?;
    let got = collection.get("a").await?;
    expect_version(&got, object.version())?;
    Ok(object)
}
