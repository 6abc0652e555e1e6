//! DELETED events.

use super::from_now;
use crate::prelude::*;

rows![watch_delete_deleted.namespaced(), watch_deleted_rv_advanced.namespaced()];

async fn watch_delete_deleted(collection: Collection) -> Checked {
    collection.create_all(&["a", "held"]).await?;
    let finalizers = |value: Value| json!({ "metadata": { "finalizers": value } });
    collection.patch("held", &finalizers(json!(["kube-assay.dev/hold"]))).await?;
    let last = collection.write("a", "last").await?;
    let mut watch = from_now(&collection).await?;

    collection.delete("a").await?;
    collection.delete("held").await?;
    collection.patch("held", &finalizers(Value::Null)).await?;

    let deleted = watch.expect("DELETED", "a").await?;
    let [actual, expected] = [&deleted, &last].map(|object| (object.metadata("uid"), object.value()));
    let same = actual == expected;
    watch.expect_that(same, format!("DELETED a with {expected:?}"), format!("{actual:?}"))?;
    let held = watch.expect("MODIFIED", "held").await?;
    let deleting = !held.metadata("deletionTimestamp").is_empty();
    watch.expect_that(deleting, "MODIFIED held with a deletionTimestamp", "one without")?;
    watch.expect("DELETED", "held").await.map(drop)
}

async fn watch_deleted_rv_advanced(collection: Collection) -> Checked {
    let created = collection.create("a").await?;
    let mut watch = from_now(&collection).await?;
    collection.delete("a").await?;
    let deleted = watch.expect("DELETED", "a").await?;

    let expected = format!("DELETED a at a version other than {}, the last before", created.version());
    watch.expect_that(deleted.version() != created.version(), expected, "that version")?;
    let mut watch = collection.watch().at(deleted.version()).open().await?;
    collection.create("b").await?;

    watch.expect("ADDED", "b").await.map(drop)
}
