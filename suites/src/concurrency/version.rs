//! The `resourceVersion` of an object across writes.

use harness::decimal;

use crate::object_fixture::FINALIZER;
use crate::prelude::*;

/// A version that no server has reached.
const FAR: &str = "9999999999999";

/// The number of reads of an object.
const READS: usize = 10;

rows![
    concurrency_conflict_leaves_object,
    concurrency_put_without_resourceversion,
    concurrency_unknown_resourceversion_refused,
    concurrency_resourceversion_changes_on_write,
    concurrency_resourceversion_stable_on_read,
    concurrency_resourceversion_unchanged_on_noop,
    concurrency_create_with_resourceversion,
];

async fn concurrency_conflict_leaves_object(stored: StoredObject) -> Checked {
    stored.write("second").await?;
    let changed = stored.again().await?;
    let mut watch = changed.watch().await?;
    let mut body = stored.body("third");
    body["metadata"]["labels"]["assay"] = "third".into();

    stored.put(&body).await?;

    changed.expect_unchanged().await?;
    changed.expect_silence(&mut watch).await
}

async fn concurrency_put_without_resourceversion(stored: StoredObject) -> Checked {
    let put = stored.put(&stored.collection.body(NAME, "second")).await?;

    if put.status() == 200 {
        return stored.expect_value("second").await;
    }
    put.expect_error(&[422], &["Invalid"])?;
    stored.expect_unchanged().await
}

async fn concurrency_unknown_resourceversion_refused(stored: StoredObject) -> Checked {
    stored.collection.create("b").await?;
    let other = stored.collection.write("b", "second").await?;
    let mut versions = vec![(other.version(), false), ("x", true)];
    // A number may be malformed where versions are no numbers.
    versions.push((FAR, decimal(other.version()).is_none()));
    versions.retain(|(version, _)| *version != stored.read.version());

    for (version, may_be_malformed) in versions {
        let mut body = stored.body("second");
        body["metadata"]["resourceVersion"] = version.into();
        let put = stored.put(&body).await?;

        let refused = (400..if may_be_malformed { 600 } else { 500 }).contains(&put.status());
        put.expect(
            refused,
            format!("an error, because the object never had version {version}"),
            put.brief(),
        )?;
    }
    stored.expect_unchanged().await
}

async fn concurrency_resourceversion_changes_on_write(cx: Context, mut stored: StoredObject) -> Checked {
    let mut is_deleted = false;
    for (what, write) in writes(&stored) {
        // Apply is optional, and custom resources have no strategic merge patches.
        let response = cx.send_if_offered(write(&stored)).await?;
        // The deletion is the last of them.
        is_deleted = response.is_some();
        if let Some(response) = response {
            stored = expect_another_version(&response, what, &stored).await?;
        }
    }
    stored.release().await?;
    if is_deleted { stored.expect_gone().await } else { Ok(()) }
}

/// A write of an object as last read; not yet sent.
type Write = fn(&StoredObject) -> Request;

/// A write of every kind; each changes another field.
fn writes(stored: &StoredObject) -> Vec<(&'static str, Write)> {
    let of_all: [(&str, Write); 5] = [
        ("an update", |stored| Request::put(stored.path(), &stored.body("second"))),
        ("a merge patch", |stored| stored.patch(MERGE, &stored.collection.change("third"))),
        ("a JSON patch", |stored| {
            let held = json!([{ "op": "add", "path": "/metadata/finalizers", "value": [FINALIZER] }]);
            stored.patch(JSON, &held)
        }),
        ("a strategic merge patch", |stored| stored.patch(STRATEGIC, &labelled("strategic"))),
        ("an apply", |stored| {
            let apply = stored.patch(APPLY, &applied(&stored.collection));
            apply.query("fieldManager", "kube-assay-other").query("force", "true")
        }),
    ];
    let mut writes = of_all.to_vec();
    if stored.collection.status_change("written").is_ok() {
        writes.push(("a write of the status", |stored| {
            let status = stored.collection.status_change("written").unwrap_or_default();
            Request::merge_patch(stored.collection.status_path_of(NAME), &status)
        }));
    }
    writes.push(("a deletion that a finalizer delays", |stored| Request::delete(stored.path())));
    writes
}

fn labelled(value: &str) -> Value {
    json!({ "metadata": { "labels": { "assay": value } } })
}

fn applied(collection: &Collection) -> Value {
    let mut applied = labelled("applied");
    applied["apiVersion"] = collection.resource().api_version().into();
    applied["kind"] = collection.resource().kind.as_str().into();
    applied["metadata"]["name"] = collection.name_of(NAME).into();
    applied
}

async fn expect_another_version(
    response: &Exchange,
    what: &str,
    before: &StoredObject,
) -> Result<StoredObject, Halt> {
    let now = before.again().await?;
    let expected = format!("a resourceVersion other than {} after {what}", before.read.version());
    response.expect(now.read.version() != before.read.version(), expected, now.read.version())?;
    Ok(now)
}

async fn concurrency_resourceversion_stable_on_read(stored: StoredObject) -> Checked {
    stored.collection.create("b").await?;
    let version = stored.read.version();
    let selector = format!("metadata.name={}", stored.read.name());

    for _ in 0..READS {
        let got = stored.get().await?;
        let page = stored.collection.list().fields(&selector).page().await?;

        let expected = format!("resourceVersion {version} as before");
        let actual = got.object()?.version().to_owned();
        got.expect(actual == version, expected.as_str(), actual)?;
        let item = page.item(stored.read.name()).map_or("no such item", Object::version);
        page.expect(item == version, expected, item)?;
    }
    Ok(())
}

async fn concurrency_resourceversion_unchanged_on_noop(stored: StoredObject) -> Checked {
    let mut watch = stored.watch().await?;

    let put = stored.put(stored.read.json()).await?;

    let version = put.object()?.version().to_owned();
    if version == stored.read.version() {
        stored.expect_unchanged().await?;
        return stored.expect_silence(&mut watch).await;
    }
    let event = watch.expect("MODIFIED", stored.read.name()).await?;
    let expected = format!("MODIFIED at {version}, as in the response to the update");
    watch.expect_that(event.version() == version, expected, event.version())
}

async fn concurrency_create_with_resourceversion(cx: Context, collection: Collection) -> Checked {
    let given = "12345";
    let mut body = collection.body(NAME, "first");
    body["metadata"]["resourceVersion"] = given.into();

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    if !created.succeeded() {
        return collection.get(NAME).await?.expect_status(&[404]);
    }
    for response in [created, collection.get(NAME).await?] {
        let version = response.object()?.version().to_owned();
        response.expect(version != given, format!("a resourceVersion other than {given}"), version)?;
    }
    Ok(())
}
