//! DELETED events.

use harness::{Checked, Collection};
use serde_json::{Value, json};

use super::from_now;

rows![watch_delete_deleted.namespaced(), watch_deleted_rv_advanced.namespaced()];

async fn watch_delete_deleted(things: Collection) -> Checked {
    things.create_all(&["a", "held"]).await?;
    let finalizers = |value: Value| json!({ "metadata": { "finalizers": value } });
    things.patch("held", &finalizers(json!(["kube-assay.dev/hold"]))).await?;
    let last = things.write("a", "last").await?;
    let mut watch = from_now(&things).await?;

    things.delete("a").await?;
    things.delete("held").await?;
    things.patch("held", &finalizers(Value::Null)).await?;

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

async fn watch_deleted_rv_advanced(things: Collection) -> Checked {
    let created = things.create("a").await?;
    let mut watch = from_now(&things).await?;
    things.delete("a").await?;
    let deleted = watch.expect("DELETED", "a").await?;

    if deleted.version() == created.version() {
        let expected = format!("DELETED a at another version than {}, its last", created.version());
        return Err(watch.fail(expected, "that version"));
    }
    let mut watch = things.watch().at(deleted.version()).open().await?;
    things.create("b").await?;

    watch.expect("ADDED", "b").await.map(drop)
}
