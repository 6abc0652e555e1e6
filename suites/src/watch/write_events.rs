//! ADDED and MODIFIED events.

use super::{expect_written, from_now};
use crate::clock::another_second;
use crate::patch_types::{apply, patch};
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

        expect_written(&mut watch, "ADDED", &created).await?;
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

        expect_written(&mut watch, "MODIFIED", &current).await?;
    }
    Ok(())
}

async fn watch_patch_modified(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let mut watch = from_now(&collection).await?;

    for request in patches(&collection) {
        // Not every server offers apply, and custom types do not support strategic merge patches.
        let Some(patched) = cx.send_if_offered(request).await? else { continue };

        expect_written(&mut watch, "MODIFIED", &patched.written()?).await?;
    }
    collection.create("b").await?;
    watch.expect("ADDED", "b").await.map(drop)
}

/// A patch of each type; not yet sent.
fn patches(collection: &Collection) -> [Request; 4] {
    let labelled = |label: &str| json!({ "metadata": { "labels": { label: "patched" } } });
    let mut applied = labelled("applied");
    applied["apiVersion"] = collection.resource().api_version().into();
    applied["kind"] = collection.resource().kind.as_str().into();
    applied["metadata"]["name"] = "a".into();
    let list = json!([{ "op": "add", "path": "/metadata/labels", "value": { "json": "patched" } }]);
    [
        patch(collection, "a", JSON, &list),
        patch(collection, "a", MERGE, &collection.change("second")),
        patch(collection, "a", STRATEGIC, &labelled("strategic")),
        apply(collection, "a", "kube-assay-other", &applied),
    ]
}

async fn watch_noop_write_no_event(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    // A server that stores the time of each write changes the object after a second.
    another_second(&cx, &collection, "a").await?;
    let got = collection.get("a").object().await?;
    let mut watch = from_now(&collection).await?;

    let put = cx.send(Request::put(collection.path_of("a"), got.json())).await?;
    let patched = cx.send(patch(&collection, "a", MERGE, &collection.change("first"))).await?;
    let changed = collection.write("a", "second").await?;

    expect_written(&mut watch, "MODIFIED", &changed).await?;
    for response in [put, patched] {
        let version = response.written()?.version().to_owned();
        let expected = format!("a at {} as before: the write changes nothing", got.version());
        response.expect(version == got.version(), expected, format!("a at {version}"))?;
    }
    Ok(())
}

async fn watch_status_write_modified(cx: Context, CustomResources(collection): CustomResources) -> Checked {
    let created = collection.create("a").await?;
    let mut watch = from_now(&collection).await?;

    let path = collection.status_path_of("a");
    let patch = Request::merge_patch(&path, &json!({ "status": { "phase": "patched" } }));
    let patched = expect_status_event(&mut watch, &*cx.send(patch).await?).await?;
    let mut body = created.with(&json!({ "metadata": { "resourceVersion": patched.version() } }))?;
    body["status"] = json!({ "phase": "put" });
    let put = cx.send(Request::put(path, &body)).await?;

    expect_status_event(&mut watch, &put).await.map(drop)
}

/// The next event has the whole object, with the status.
async fn expect_status_event(watch: &mut Watch, response: &Exchange) -> Result<Object, Halt> {
    let written = response.written()?;
    let object = expect_written(watch, "MODIFIED", &written).await?;
    let phase = |object: &Object| object.json()["status"]["phase"].to_string();
    let same = phase(&object) == phase(&written);
    watch.expect_that(same, format!("a with the status {}", phase(&written)), phase(&object))?;
    Ok(written)
}
