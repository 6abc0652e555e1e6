//! Preconditions of a deletion: uid and `resourceVersion`.

use super::{ACCEPTED, NO_UID, TRIES, expect_gone, with_options};
use crate::prelude::*;

rows![deletion_precondition_match_deletes, deletion_preconditions_only_in_body];

async fn only_if(
    cx: &Context,
    collection: &Collection,
    name: &str,
    known: &Value,
) -> Result<Arc<Exchange>, Halt> {
    cx.send(with_options(collection.path_of(name), &json!({ "preconditions": known }))).await
}

async fn deletion_precondition_match_deletes(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let deleted = delete_as_it_is(&cx, &collection, "a").await?;
    let got = collection.get("a").await?;

    deleted.expect_status(ACCEPTED)?;
    expect_gone(&got)
}

/// Deletes an object as it was just shown. Who is overtaken by another writer begins anew.
async fn delete_as_it_is(cx: &Context, collection: &Collection, name: &str) -> Result<Arc<Exchange>, Halt> {
    let mut tries = 0;
    loop {
        let known = collection.get(name).object().await?;
        let known = json!({ "uid": known.metadata("uid"), "resourceVersion": known.version() });
        let deleted = only_if(cx, collection, name, &known).await?;
        tries += 1;
        if deleted.status() != 409 || tries == TRIES {
            return Ok(deleted);
        }
    }
}

async fn deletion_preconditions_only_in_body(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let delete = Request::delete(collection.path_of("a")).query("preconditions.uid", NO_UID);
    let deleted = cx.send(delete).await?;
    let got = collection.get("a").await?;

    // Who does not know the parameter may also refuse it.
    deleted.expect(deleted.status() != 409, "no conflict over an unknown parameter", deleted.brief())?;
    if deleted.succeeded() { expect_gone(&got) } else { Ok(()) }
}
