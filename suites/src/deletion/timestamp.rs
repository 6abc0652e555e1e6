//! `metadata.deletionTimestamp`: only the server writes it.

use super::{FIRST, expect_alive, expect_invalid, expect_marked, held, marked, put};
use crate::prelude::*;

/// A time at which nothing of ours is deleted.
const ANOTHER: &str = "2030-01-01T00:00:00Z";

rows![
    deletion_timestamp_cannot_be_cleared,
    deletion_timestamp_ignored_on_create,
    deletion_timestamp_not_settable_by_update,
];

async fn deletion_timestamp_cannot_be_cleared(cx: Context, collection: Collection) -> Checked {
    let marked = marked(&cx, &collection, "a", &[FIRST]).await?;

    for time in [Value::Null, json!(ANOTHER)] {
        // They may be answered with the object as it is, or refused.
        put(&cx, &collection, "a", |body| body["metadata"]["deletionTimestamp"] = time.clone()).await?;
        expect_time(&collection, &marked).await?;
        cx.send(Request::merge_patch(collection.path_of("a"), &deleted_at(&time))).await?;
        expect_time(&collection, &marked).await?;
    }
    Ok(())
}

fn deleted_at(time: &Value) -> Value {
    json!({ "metadata": { "deletionTimestamp": time } })
}

async fn expect_time(collection: &Collection, marked: &Object) -> Checked {
    let got = collection.get("a").await?;
    let object = expect_marked(&got, marked)?;
    let [time, before] = [&object, marked].map(|object| object.metadata("deletionTimestamp"));
    got.expect(time == before, format!("deletionTimestamp {before}, as before"), time)
}

async fn deletion_timestamp_ignored_on_create(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["deletionTimestamp"] = json!(ANOTHER);
    body["metadata"]["deletionGracePeriodSeconds"] = json!(5);

    let created = cx.send(Request::post(collection.path(), &body)).await?;
    let got = collection.get("a").await?;

    for shown in [created, got] {
        let object = shown.object()?;
        let [time, grace] = ["deletionTimestamp", "deletionGracePeriodSeconds"]
            .map(|field| object.json()["metadata"][field].clone());
        let actual = format!("deletionTimestamp {time}, deletionGracePeriodSeconds {grace}");
        shown.expect(time.is_null() && grace.is_null(), "an object that is not being deleted", actual)?;
    }
    Ok(())
}

async fn deletion_timestamp_not_settable_by_update(cx: Context, collection: Collection) -> Checked {
    let held = held(&collection, "held", &[FIRST]).await?;
    let free = collection.create("free").await?;

    for (name, before) in [("held", held), ("free", free)] {
        let now = json!(before.metadata("creationTimestamp"));
        let put =
            put(&cx, &collection, name, |body| body["metadata"]["deletionTimestamp"] = now.clone()).await?;
        let shown = collection.get(name).await?;
        let patch = Request::merge_patch(collection.path_of(name), &deleted_at(&now));
        let patched = cx.send(patch).await?;
        let got = collection.get(name).await?;

        for shown in [shown, got] {
            expect_alive(&shown, &before)?;
        }
        for refused in [put, patched] {
            expect_invalid(&refused, "metadata.deletionTimestamp")?;
        }
    }
    Ok(())
}
