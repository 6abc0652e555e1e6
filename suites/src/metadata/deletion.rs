//! `metadata.deletionTimestamp` and terminating objects.

use super::expect_not_writable;
use super::invariants::{expect, is_deleted_at_a_time_or_never};
use crate::clock::{another_second, second};
use crate::fields::remove;
use crate::object_fixture::FINALIZER;
use crate::prelude::*;

/// A time after the run.
const FUTURE: &str = "2030-01-01T00:00:00Z";

rows![
    metadata_deletiontimestamp_absent_normally,
    metadata_deletiontimestamp_not_settable_on_create,
    metadata_deletiontimestamp_not_settable_on_update,
    metadata_deletion_object_visible_while_pending,
    metadata_deletion_object_gone_afterwards,
    metadata_deletiontimestamp_not_unset,
    metadata_deletiontimestamp_not_later,
];

/// The deletionTimestamp of an object; empty if it has none.
pub(super) fn timestamp(object: &Object) -> &str {
    object.metadata("deletionTimestamp")
}

/// An object that is being deleted, and that a finalizer keeps.
struct Terminating(StoredObject);

impl Fixture for Terminating {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let held = StoredObject::create_held(cx).await?;
        held.collection.delete(NAME).await?;
        let stored = held.again().await?;
        if timestamp(&stored.read).is_empty() {
            let why = "it has a finalizer, but no deletionTimestamp";
            return Err(cx.test_error(format!("delete {}", held.path()), why).into());
        }
        Ok(Self(stored))
    }
}

fn expect_no_timestamp(response: &Exchange) -> Checked {
    let object = response.object()?;
    let timestamp = &object.json()["metadata"]["deletionTimestamp"];
    response.expect(timestamp.is_null(), "no deletionTimestamp", timestamp.to_string())
}

async fn metadata_deletiontimestamp_absent_normally(cx: Context) -> Checked {
    let held = StoredObject::create_held(&cx).await?;

    let before = held.get().await?;
    held.release().await?;
    let after = held.get().await?;

    for response in [before, after] {
        expect(&response, is_deleted_at_a_time_or_never)?;
        expect_no_timestamp(&response)?;
    }
    Ok(())
}

async fn metadata_deletiontimestamp_not_settable_on_create(cx: Context, collection: Collection) -> Checked {
    let post = post_with(&collection, NAME, |body| {
        body["metadata"]["deletionTimestamp"] = FUTURE.into();
        body["metadata"]["deletionGracePeriodSeconds"] = 5.into();
    });

    let created = cx.send(post).await?;

    if created.status() == 422 {
        return created.expect_rejection(&[422]).map(drop);
    }
    expect_no_timestamp(&created)?;
    expect_no_timestamp(&*collection.get(NAME).await?)
}

async fn metadata_deletiontimestamp_not_settable_on_update(cx: Context) -> Checked {
    let stored = StoredObject::create_held(&cx).await?;

    expect_not_writable(&cx, &stored, "deletionTimestamp", FUTURE.into(), expect_no_timestamp).await
}

/// A list that a field selector restricts to the object.
async fn listed(stored: &StoredObject) -> Result<Arc<Exchange>, Halt> {
    stored.collection.list().fields(&format!("metadata.name={}", stored.read.name())).await
}

async fn metadata_deletion_object_visible_while_pending(
    cx: Context,
    Terminating(stored): Terminating,
) -> Checked {
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });

    let got = stored.get().await?;
    let listed = listed(&stored).await?;
    let patched = cx.send(stored.patch(MERGE, &label)).await?;

    got.expect_status(&[200])?;
    listed.page()?.expect_names(&[stored.read.name()])?;
    let labels = patched.object()?.json()["metadata"]["labels"].clone();
    patched.expect(labels["assay"] == "changed", "the label assay=changed", labels.to_string())
}

async fn metadata_deletion_object_gone_afterwards(cx: Context, Terminating(stored): Terminating) -> Checked {
    let mut watch = stored.watch().await?;
    let release = json!({ "metadata": { "finalizers": null } });

    let released = cx.send(stored.patch(MERGE, &release)).await?;
    let listed = listed(&stored).await?;

    released.object()?;
    stored.expect_gone().await?;
    listed.page()?.expect_names(&[])?;
    let expected = format!("DELETED {}", stored.read.name());
    watch.until(&expected, |event| event.kind == "DELETED").await.map(drop)
}

async fn metadata_deletiontimestamp_not_unset(cx: Context, Terminating(stored): Terminating) -> Checked {
    let before = timestamp(&stored.read);
    let mut body = stored.read.json().clone();
    remove(&mut body["metadata"], "deletionTimestamp");
    let change = json!({ "metadata": { "deletionTimestamp": Value::Null } });

    for request in [Request::put(stored.path(), &body), stored.patch(MERGE, &change)] {
        cx.send(request).await?.expect_status(&[200, 422])?;
        let got = stored.get().await?;
        let object = got.object()?;
        let expected = format!("deletionTimestamp {before} as before");
        got.expect(timestamp(&object) == before, expected, timestamp(&object))?;
    }
    Ok(())
}

async fn metadata_deletiontimestamp_not_later(cx: Context, Terminating(stored): Terminating) -> Checked {
    another_second(&cx, &stored.collection, NAME).await?;

    let again = cx.send(Request::delete(stored.path()).query("gracePeriodSeconds", 3600)).await?;
    let got = stored.get().await?;

    again.expect_status(&[200, 202, 409])?;
    let (before, object) = (timestamp(&stored.read), got.object()?);
    let later = second(timestamp(&object)) > second(before);
    got.expect(!later, format!("deletionTimestamp {before} at the latest"), timestamp(&object))?;
    let held = object.json()["metadata"]["finalizers"] == json!([FINALIZER]);
    got.expect(held, format!("the finalizer {FINALIZER}"), object.json()["metadata"].to_string())
}
