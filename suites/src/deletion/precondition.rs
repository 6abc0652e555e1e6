//! Preconditions of a deletion: uid and `resourceVersion`.

use super::{ACCEPTED, ATTEMPTS, expect_gone, with_options};
use crate::object_fixture::NO_UID;
use crate::prelude::*;

rows![deletion_precondition_match_deletes, deletion_preconditions_only_in_body];

async fn deletion_precondition_match_deletes(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let deleted = delete_as_read(&cx, &collection, "a").await?;
    let got = collection.get("a").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_gone(&got)
}

/// Reads and deletes an object with preconditions, and tries again after a conflict with another writer.
async fn delete_as_read(cx: &Context, collection: &Collection, name: &str) -> Result<Arc<Exchange>, Halt> {
    let mut attempts = 0;
    loop {
        let read = collection.get(name).object().await?;
        let preconditions = json!({ "uid": read.metadata("uid"), "resourceVersion": read.version() });
        let options = json!({ "preconditions": preconditions });
        let deleted = cx.send(with_options(collection.path_of(name), &options)).await?;
        attempts += 1;
        if deleted.status() != 409 || attempts == ATTEMPTS {
            return Ok(deleted);
        }
    }
}

async fn deletion_preconditions_only_in_body(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let delete = Request::delete(collection.path_of("a")).query("preconditions.uid", NO_UID);
    let deleted = cx.send(delete).await?;
    let got = collection.get("a").await?;

    // A server may also reject the unknown parameter.
    deleted.expect(
        deleted.status() != 409,
        "no conflict because of an unknown parameter",
        deleted.brief(),
    )?;
    if deleted.succeeded() { expect_gone(&got) } else { Ok(()) }
}
