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

    let told = watch.expect("DELETED", "a").await?;
    let [shown, expected] = [&told, &last].map(|object| (object.metadata("uid"), object.value()));
    if shown != expected {
        return Err(watch.fail(format!("DELETED a as it was, {expected:?}"), format!("{shown:?}")));
    }
    let marked = watch.expect("MODIFIED", "held").await?;
    if marked.metadata("deletionTimestamp").is_empty() {
        return Err(watch.fail("MODIFIED held with a deletionTimestamp", "one without"));
    }
    watch.expect("DELETED", "held").await.map(drop)
}

async fn watch_deleted_rv_advanced(collection: Collection) -> Checked {
    let created = collection.create("a").await?;
    let mut watch = from_now(&collection).await?;
    collection.delete("a").await?;
    let deleted = watch.expect("DELETED", "a").await?;

    if deleted.version() == created.version() {
        let expected = format!("DELETED a at another version than {}, its last", created.version());
        return Err(watch.fail(expected, "that version"));
    }
    let mut watch = collection.watch().at(deleted.version()).open().await?;
    collection.create("b").await?;

    watch.expect("ADDED", "b").await.map(drop)
}
