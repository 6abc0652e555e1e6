//! The parameter `dryRun`.

use super::dry;
use crate::prelude::*;

rows![dryrun_value_all, dryrun_unset_is_real, dryrun_bare_parameter];

/// One write with each verb, with its usual code; not yet sent.
pub(super) fn writes(stored: &StoredObject) -> [(Request, u16); 4] {
    [
        (Request::post(stored.collection.path(), &stored.collection.body("b", "first")), 201),
        (Request::put(stored.path(), &stored.body("second")), 200),
        (Request::merge_patch(stored.path(), &stored.collection.change("third")), 200),
        (Request::delete(stored.path()), 200),
    ]
}

async fn dryrun_value_all(cx: Context, stored: StoredObject) -> Checked {
    for (request, status) in writes(&stored) {
        // 202 is legal for a deletion.
        let legal: &[u16] = if status == 201 { &[201] } else { &[200, 202] };
        cx.send(dry(request)).await?.expect_status(legal)?;
    }

    stored.expect_unchanged().await?;
    stored.collection.get("b").await?.expect_status(&[404])
}

async fn dryrun_unset_is_real(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &collection.body(NAME, "first"))).await?;

    created.expect(created.succeeded(), "success", created.brief())?;
    collection.get(NAME).await?.expect_status(&[200])
}

async fn dryrun_bare_parameter(cx: Context, collection: Collection) -> Checked {
    for (name, query) in [("a", "dryRun"), ("b", "dryRun&pretty=true"), ("c", "dryRun=")] {
        let create = Request::post(collection.path(), &collection.body(name, "first")).raw_query(query);
        let created = cx.send(create).await?;

        let legal = created.succeeded() || (400..500).contains(&created.status());
        created.expect(legal, "success, or HTTP 4xx", created.brief())?;
        let got = collection.get(name).await?;
        let expected = if created.succeeded() { "the object that was created" } else { "no object" };
        got.expect(got.succeeded() == created.succeeded(), expected, got.brief())?;
    }
    Ok(())
}
