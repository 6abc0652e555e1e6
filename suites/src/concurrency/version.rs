//! The `resourceVersion` of an object across writes.

use harness::decimal;

use crate::object_fixture::FINALIZER;
use crate::prelude::*;

/// More than any server has written.
const FAR: &str = "9999999999999";

/// How often an object is read.
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
    // Where versions are no numbers a number may be none.
    versions.push((FAR, decimal(other.version()).is_none()));
    versions.retain(|(version, _)| *version != stored.read.version());

    for (version, may_break) in versions {
        let mut body = stored.body("second");
        body["metadata"]["resourceVersion"] = version.into();
        let put = stored.put(&body).await?;

        let refused = (400..if may_break { 600 } else { 500 }).contains(&put.status());
        put.expect(refused, format!("a refusal: the object was never at version {version}"), put.brief())?;
    }
    stored.expect_unchanged().await
}

async fn concurrency_resourceversion_changes_on_write(cx: Context, mut stored: StoredObject) -> Checked {
    for (what, write) in writes(&stored) {
        // Not every server applies, and strategic merge patches are for built-in types only.
        if let Some(answer) = cx.send_if_offered(write(&stored)).await? {
            stored = expect_another_version(&answer, what, &stored).await?;
        }
    }
    stored.release().await?;
    stored.expect_gone().await
}

/// A write to an object that was just read; not yet sent.
type Write = fn(&StoredObject) -> Request;

/// Every way to write, each changing what no other does.
fn writes(stored: &StoredObject) -> Vec<(&'static str, Write)> {
    let of_all: [(&str, Write); 5] = [
        ("an update", |stored| Request::put(stored.path(), &stored.body("second"))),
        ("a merge patch", |stored| stored.patch(MERGE, &stored.collection.change("third"))),
        ("a JSON patch", |stored| {
            let held = json!([{ "op": "add", "path": "/metadata/finalizers", "value": [FINALIZER] }]);
            stored.patch("application/json-patch+json", &held)
        }),
        ("a strategic merge patch", |stored| stored.patch(STRATEGIC, &labelled("strategic"))),
        ("an apply", |stored| {
            let applied = applied(&stored.collection);
            stored
                .patch("application/apply-patch+yaml", &applied)
                .query("fieldManager", "kube-assay-other")
                .query("force", "true")
        }),
    ];
    let mut writes = of_all.to_vec();
    if stored.collection.status_change("written").is_ok() {
        writes.push(("a write of the status", |stored| {
            let status = stored.collection.status_change("written").unwrap_or_default();
            Request::merge_patch(stored.collection.status_path_of(NAME), &status)
        }));
    }
    writes.push(("a deletion that is held back", |stored| Request::delete(stored.path())));
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
    answer: &Exchange,
    what: &str,
    before: &StoredObject,
) -> Result<StoredObject, Halt> {
    let now = before.again().await?;
    let expected = format!("another version than {} after {what}", before.read.version());
    answer.expect(now.read.version() != before.read.version(), expected, now.read.version())?;
    Ok(now)
}

async fn concurrency_resourceversion_stable_on_read(stored: StoredObject) -> Checked {
    stored.collection.create("b").await?;
    let version = stored.read.version();
    let selector = format!("metadata.name={}", stored.read.name());

    for _ in 0..READS {
        let got = stored.get().await?;
        let page = stored.collection.list().fields(&selector).page().await?;

        let expected = format!("version {version} as before: nothing was written");
        let shown = got.object()?.version().to_owned();
        got.expect(shown == version, expected.as_str(), shown)?;
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
    let told = watch.expect("MODIFIED", stored.read.name()).await?;
    if told.version() == version {
        return Ok(());
    }
    Err(watch.fail(format!("MODIFIED at {version}, as the write was answered"), told.version()))
}

async fn concurrency_create_with_resourceversion(cx: Context, collection: Collection) -> Checked {
    let given = "12345";
    let mut body = collection.body(NAME, "first");
    body["metadata"]["resourceVersion"] = given.into();

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    if !created.succeeded() {
        return collection.get(NAME).await?.expect_status(&[404]);
    }
    for answer in [created, collection.get(NAME).await?] {
        let version = answer.object()?.version().to_owned();
        answer.expect(version != given, format!("a version other than {given}"), version)?;
    }
    Ok(())
}
