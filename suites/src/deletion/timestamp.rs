//! `metadata.deletionTimestamp`: only the server writes it.

use super::{FIRST, expect_alive, expect_invalid, expect_terminating, held, put, terminating};
use crate::prelude::*;

/// A time long after the run.
const ANOTHER: &str = "2030-01-01T00:00:00Z";

rows![
    deletion_timestamp_cannot_be_cleared,
    deletion_timestamp_ignored_on_create,
    deletion_timestamp_not_settable_by_update,
];

async fn deletion_timestamp_cannot_be_cleared(cx: Context, collection: Collection) -> Checked {
    let deleted = terminating(&cx, &collection, "a", &[FIRST]).await?;

    for time in [Value::Null, json!(ANOTHER)] {
        // The server may ignore the field, or reject the request.
        put(&cx, &collection, "a", |body| body["metadata"]["deletionTimestamp"] = time.clone()).await?;
        expect_time(&collection, &deleted).await?;
        cx.send(Request::merge_patch(collection.path_of("a"), &deleted_at(&time))).await?;
        expect_time(&collection, &deleted).await?;
    }
    Ok(())
}

fn deleted_at(time: &Value) -> Value {
    json!({ "metadata": { "deletionTimestamp": time } })
}

async fn expect_time(collection: &Collection, deleted: &Object) -> Checked {
    let got = collection.get("a").await?;
    expect_terminating(&got, deleted)?;
    got.expect_value("/metadata/deletionTimestamp", &deleted.metadata("deletionTimestamp").into())
}

async fn deletion_timestamp_ignored_on_create(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["deletionTimestamp"] = json!(ANOTHER);
    body["metadata"]["deletionGracePeriodSeconds"] = json!(5);

    let created = cx.send(Request::post(collection.path(), &body)).await?;
    let got = collection.get("a").await?;

    for response in [created, got] {
        for field in ["deletionTimestamp", "deletionGracePeriodSeconds"] {
            response.expect_value(&format!("/metadata/{field}"), &Value::Null)?;
        }
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
        let after_put = collection.get(name).await?;
        let patched = cx.send(Request::merge_patch(collection.path_of(name), &deleted_at(&now))).await?;
        let after_patch = collection.get(name).await?;

        for got in [after_put, after_patch] {
            expect_alive(&got, &before)?;
        }
        for refused in [put, patched] {
            expect_invalid(&refused, "metadata.deletionTimestamp")?;
        }
    }
    Ok(())
}
