//! Those whom the server does not know, and those who may not.

use harness::{Context, Halt, Identity, Method, Request, Suite};

use crate::mistakes::MISSING;
use crate::nobody;
use crate::status_object::unauthorized;
use crate::stored::Stored;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-codes-401-unauthorized", a_token_of_nobody_is_answered_with_401)
        .on_every_shape()
        .scenario("status-codes-403-forbidden", what_is_not_granted_is_answered_with_403)
        .on_every_shape()
        .scenario("status-codes-403-before-existence", a_denial_does_not_tell_what_is_there)
        .on_every_shape()
        .scenario("status-codes-204-options", options_show_no_objects)
}

async fn a_token_of_nobody_is_answered_with_401(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = unauthorized(&cx, &stored).await?;
    let anonymous = cx.send(Request::get(stored.path()).identity(Identity::Anonymous)).await?;

    refused.expect_status(&[401])?;
    if anonymous.succeeded() {
        cx.note("requests without credentials are let in here");
        return Ok(());
    }
    anonymous.expect_status(&[401, 403])
}

async fn what_is_not_granted_is_answered_with_403(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = nobody::is_refused(&cx, Request::get(stored.path())).await?;

    refused.expect_status(&[403])
}

async fn a_denial_does_not_tell_what_is_there(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    nobody::is_refused(&cx, Request::get(stored.path())).await?;
    let missing = stored.things.path_of(MISSING);

    for path in [stored.path(), missing] {
        let patch = Request::merge_patch(&path, &stored.things.change("second"));
        for request in [Request::get(&path), patch, Request::delete(&path)] {
            cx.send(nobody::sends(&cx, request)).await?.expect_status(&[403])?;
        }
    }
    stored.expect_unchanged().await
}

/// With our own credentials, and with none.
async fn options_show_no_objects(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create_among(&cx, cx.configmaps().await?).await?;
    let options = Request::new(Method::OPTIONS, stored.path()).header("origin", "https://kube-assay.dev");

    for request in [options.clone(), options.identity(Identity::Anonymous)] {
        let answer = cx.send(request).await?;

        answer.expect_status(&[200, 204, 405, 401, 403])?;
        let shows = answer.json().is_some_and(|body| body["metadata"]["name"].is_string());
        answer.expect(!shows, "no object: it was not asked for", answer.brief())?;
    }
    Ok(())
}
