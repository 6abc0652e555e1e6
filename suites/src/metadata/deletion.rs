//! `metadata.deletionTimestamp` and terminating objects.

use super::invariants::{expect, is_deleted_at_a_time_or_never};
use crate::clock::{another_second, second};
use crate::fields::remove;
use crate::object_fixture::FINALIZER;
use crate::prelude::*;

/// A time at which nothing of ours is deleted.
const ANOTHER: &str = "2030-01-01T00:00:00Z";

rows![
    metadata_deletiontimestamp_absent_normally,
    metadata_deletiontimestamp_not_settable_on_create,
    metadata_deletiontimestamp_not_settable_on_update,
    metadata_deletion_object_visible_while_pending,
    metadata_deletion_object_gone_afterwards,
    metadata_deletiontimestamp_not_unset,
    metadata_deletiontimestamp_not_later,
];

/// The time at which an object is to be deleted; empty if there is none.
pub(super) fn deletion(object: &Object) -> &str {
    object.metadata("deletionTimestamp")
}

/// An object that has been deleted and waits for its end; else a test error.
async fn terminating(cx: &Context) -> Result<StoredObject, Halt> {
    let held = StoredObject::create_held(cx).await?;
    held.collection.delete(NAME).await?;
    let marked = held.again().await?;
    if deletion(&marked.read).is_empty() {
        let why = "it has a finalizer, but no deletionTimestamp";
        return Err(cx.test_error(format!("delete {}", held.path()), why).into());
    }
    Ok(marked)
}

/// Nobody has deleted the object.
fn expect_alive(answer: &Exchange) -> Checked {
    let object = answer.object()?;
    let time = &object.json()["metadata"]["deletionTimestamp"];
    answer.expect(time.is_null(), "no deletionTimestamp: nobody deletes it", time.to_string())
}

async fn metadata_deletiontimestamp_absent_normally(cx: Context) -> Checked {
    let held = StoredObject::create_held(&cx).await?;

    let before = held.get().await?;
    held.release().await?;
    let after = held.get().await?;

    for shown in [before, after] {
        expect(&shown, is_deleted_at_a_time_or_never)?;
        expect_alive(&shown)?;
    }
    Ok(())
}

async fn metadata_deletiontimestamp_not_settable_on_create(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body(NAME, "first");
    body["metadata"]["deletionTimestamp"] = ANOTHER.into();
    body["metadata"]["deletionGracePeriodSeconds"] = 5.into();

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    if created.status() == 422 {
        return created.expect_refusal(&[422]).map(drop);
    }
    expect_alive(&created)?;
    expect_alive(&*collection.get(NAME).await?)
}

async fn metadata_deletiontimestamp_not_settable_on_update(cx: Context) -> Checked {
    let stored = StoredObject::create_held(&cx).await?;
    let mut body = stored.read.json().clone();
    body["metadata"]["deletionTimestamp"] = ANOTHER.into();
    let change = json!({ "metadata": { "deletionTimestamp": ANOTHER } });

    for request in [Request::put(stored.path(), &body), stored.patch(MERGE, &change)] {
        let answer = cx.send(request).await?;

        if answer.status() == 422 {
            answer.expect_refusal(&[422])?;
        } else {
            expect_alive(&answer)?;
        }
        expect_alive(&*stored.get().await?)?;
    }
    Ok(())
}

/// The list with the object alone.
async fn listed(stored: &StoredObject) -> Result<Arc<Exchange>, Halt> {
    stored.collection.list().fields(&format!("metadata.name={}", stored.read.name())).await
}

async fn metadata_deletion_object_visible_while_pending(cx: Context) -> Checked {
    let marked = terminating(&cx).await?;
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });

    let got = marked.get().await?;
    let listed = listed(&marked).await?;
    let patched = cx.send(marked.patch(MERGE, &label)).await?;

    got.expect_status(&[200])?;
    listed.page()?.expect_names(&[marked.read.name()])?;
    let labels = patched.object()?.json()["metadata"]["labels"].clone();
    patched.expect(labels["assay"] == "changed", "the label assay=changed", labels.to_string())
}

async fn metadata_deletion_object_gone_afterwards(cx: Context) -> Checked {
    let marked = terminating(&cx).await?;
    let mut watch = marked.watch().await?;
    let release = json!({ "metadata": { "finalizers": null } });

    let released = cx.send(marked.patch(MERGE, &release)).await?;
    let listed = listed(&marked).await?;

    released.object()?;
    marked.expect_gone().await?;
    listed.page()?.expect_names(&[])?;
    let expected = format!("DELETED {}", marked.read.name());
    watch.until(&expected, |event| event.kind == "DELETED").await.map(drop)
}

/// The object is to be deleted at the same time as before.
async fn expect_same(marked: &StoredObject) -> Checked {
    let (got, before) = (marked.get().await?, deletion(&marked.read));
    let shown = got.object()?;
    got.expect(deletion(&shown) == before, format!("deletionTimestamp {before}, as before"), deletion(&shown))
}

async fn metadata_deletiontimestamp_not_unset(cx: Context) -> Checked {
    let marked = terminating(&cx).await?;
    let mut body = marked.read.json().clone();
    remove(&mut body["metadata"], "deletionTimestamp");
    let change = json!({ "metadata": { "deletionTimestamp": Value::Null } });

    for request in [Request::put(marked.path(), &body), marked.patch(MERGE, &change)] {
        let answer = cx.send(request).await?;

        answer.expect_status(&[200, 422])?;
        expect_same(&marked).await?;
    }
    Ok(())
}

async fn metadata_deletiontimestamp_not_later(cx: Context) -> Checked {
    let marked = terminating(&cx).await?;
    another_second(&cx, &marked.collection, NAME).await?;

    let again = cx.send(Request::delete(marked.path()).query("gracePeriodSeconds", 3600)).await?;
    let got = marked.get().await?;

    again.expect_status(&[200, 202, 409])?;
    let (before, shown) = (deletion(&marked.read), got.object()?);
    let later = second(deletion(&shown)) > second(before);
    got.expect(!later, format!("deletionTimestamp {before} at the latest"), deletion(&shown))?;
    let held = shown.json()["metadata"]["finalizers"] == json!([FINALIZER]);
    got.expect(held, "the finalizer that holds it", shown.json()["metadata"].to_string())
}
