//! What there is not.

use harness::{Context, Halt, Request, Suite};

use crate::mistakes::MISSING;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-codes-404-missing-object", what_is_not_there_is_answered_with_404)
        .on_every_shape()
        .scenario("status-codes-404-missing-resource", what_is_not_served_is_answered_with_404)
        .on_every_shape()
}

async fn what_is_not_there_is_answered_with_404(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let path = things.path_of(MISSING);
    let mut requests = vec![
        Request::get(&path),
        Request::merge_patch(&path, &things.change("second")),
        Request::delete(&path),
    ];
    if things.has_status() {
        requests.push(Request::get(things.status_path_of(MISSING)));
    }

    for request in requests {
        cx.send(request).await?.expect_status(&[404])?;
    }
    Ok(())
}

/// In the group of the subject, and in one that nobody serves.
async fn what_is_not_served_is_answered_with_404(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let own = things.path().replace(&things.resource().plural, "nosuchthings");

    for path in [own.as_str(), "/apis/nosuch.kube-assay.dev/v1/things"] {
        cx.send(Request::get(path)).await?.expect_status(&[404])?;
    }
    Ok(())
}
