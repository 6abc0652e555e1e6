//! ADDED and MODIFIED events.

use super::{expect_as_written, from_now};
use crate::clock::another_second;
use crate::prelude::*;

rows![
    watch_create_added.namespaced(),
    watch_update_modified.namespaced(),
    watch_patch_modified.namespaced(),
    watch_noop_write_no_event.namespaced(),
    watch_status_write_modified.own_kinds(),
];

async fn watch_create_added(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    for name in ["a", "b"] {
        let created = collection.create(name).await?;

        let told = watch.expect("ADDED", name).await?;
        expect_as_written(&mut watch, &told, &created)?;
    }
    Ok(())
}

async fn watch_update_modified(cx: Context, collection: Collection) -> Checked {
    let mut current = collection.create("a").await?;
    let mut watch = from_now(&collection).await?;

    for value in ["second", "third"] {
        let mut body = collection.body("a", value);
        body["metadata"]["resourceVersion"] = json!(current.version());
        current = cx.send(Request::put(collection.path_of("a"), &body)).await?.written()?;

        let told = watch.expect("MODIFIED", "a").await?;
        expect_as_written(&mut watch, &told, &current)?;
    }
    Ok(())
}

async fn watch_patch_modified(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let mut watch = from_now(&collection).await?;

    for (media_type, body) in patches(&collection) {
        let request = Request::new(Method::PATCH, collection.path_of("a")).json(media_type, &body);
        let applies = media_type.contains("apply");
        let request = if applies { request.query("fieldManager", "kube-assay-other") } else { request };
        // Strategic merge patches are for built-in types only, and not every server applies.
        let Some(patched) = cx.send_if_offered(request).await? else { continue };
        let patched = patched.written()?;

        let told = watch.expect("MODIFIED", "a").await?;
        expect_as_written(&mut watch, &told, &patched)?;
    }
    collection.create("b").await?;
    watch.expect("ADDED", "b").await.map(drop)
}

/// A change in each form of patch.
fn patches(collection: &Collection) -> [(&'static str, Value); 4] {
    let labelled = |label: &str| json!({ "metadata": { "labels": { label: "patched" } } });
    let mut applied = labelled("applied");
    applied["apiVersion"] = collection.resource().api_version().into();
    applied["kind"] = collection.resource().kind.as_str().into();
    applied["metadata"]["name"] = "a".into();
    let list = json!([{ "op": "add", "path": "/metadata/labels", "value": { "json": "patched" } }]);
    [
        ("application/json-patch+json", list),
        (MERGE, collection.change("second")),
        (STRATEGIC, labelled("strategic")),
        ("application/apply-patch+yaml", applied),
    ]
}

async fn watch_noop_write_no_event(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    // A write must not count as a change for the time alone.
    another_second(&cx, &collection, "a").await?;
    let got = collection.get("a").object().await?;
    let mut watch = from_now(&collection).await?;

    let put = cx.send(Request::put(collection.path_of("a"), got.json())).await?;
    let patch = Request::merge_patch(collection.path_of("a"), &collection.change("first"));
    let patched = cx.send(patch).await?;
    let changed = collection.write("a", "second").await?;

    let told = watch.expect("MODIFIED", "a").await?;
    expect_as_written(&mut watch, &told, &changed)?;
    for answer in [put, patched] {
        let version = answer.written()?.version().to_owned();
        let expected = format!("a at {} as before: nothing was changed", got.version());
        answer.expect(version == got.version(), expected, format!("a at {version}"))?;
    }
    Ok(())
}

async fn watch_status_write_modified(cx: Context, CustomResources(collection): CustomResources) -> Checked {
    let created = collection.create("a").await?;
    let mut watch = from_now(&collection).await?;

    let status = |phase: &str| json!({ "phase": phase });
    let path = format!("{}/status", collection.path_of("a"));
    let patched = cx.send(Request::merge_patch(&path, &json!({ "status": status("patched") }))).await?;
    let patched = expect_told(&mut watch, &patched).await?;
    let mut body = created.json().clone();
    body["metadata"]["resourceVersion"] = json!(patched.version());
    body["status"] = status("put");
    let put = cx.send(Request::put(path, &body)).await?;

    expect_told(&mut watch, &put).await.map(drop)
}

/// The event shows the whole object, with the status.
async fn expect_told(watch: &mut Watch, answer: &Exchange) -> Result<Object, Halt> {
    let answered = answer.written()?;
    let told = watch.expect("MODIFIED", "a").await?;
    expect_as_written(watch, &told, &answered)?;
    let phase = |object: &Object| object.json()["status"]["phase"].to_string();
    if phase(&told) == phase(&answered) {
        return Ok(answered);
    }
    Err(watch.fail(format!("a with the status {}", phase(&answered)), phase(&told)))
}
