//! 401 and 403.

use harness::Identity;

use crate::invalid_requests::MISSING;
use crate::prelude::*;
use crate::status_object::unauthorized;
use crate::unprivileged_user;

rows![
    status_codes_401_unauthorized,
    status_codes_403_forbidden,
    status_codes_403_before_existence,
    status_codes_204_options.own_kinds(),
];

async fn status_codes_401_unauthorized(cx: Context, stored: StoredObject) -> Checked {
    let invalid_token = unauthorized(&cx, &stored).await?;
    let anonymous = cx.send(Request::get(stored.path()).identity(Identity::Anonymous)).await?;

    invalid_token.expect_status(&[401])?;
    if anonymous.succeeded() {
        cx.note("the server allows anonymous requests");
        return Ok(());
    }
    anonymous.expect_status(&[401, 403])
}

async fn status_codes_403_forbidden(cx: Context, stored: StoredObject) -> Checked {
    unprivileged_user::is_refused(&cx, Request::get(stored.path())).await?.expect_status(&[403])
}

async fn status_codes_403_before_existence(cx: Context, stored: StoredObject) -> Checked {
    unprivileged_user::is_refused(&cx, Request::get(stored.path())).await?;
    let missing = stored.collection.path_of(MISSING);

    for path in [stored.path(), missing] {
        let patch = Request::merge_patch(&path, &stored.collection.change("second"));
        for request in [Request::get(&path), patch, Request::delete(&path)] {
            cx.send(unprivileged_user::sends(&cx, request)).await?.expect_status(&[403])?;
        }
    }
    stored.expect_unchanged().await
}

/// With and without credentials.
async fn status_codes_204_options(cx: Context) -> Checked {
    let stored = StoredObject::create_among(&cx, cx.configmaps().await?).await?;
    let options = Request::new(Method::OPTIONS, stored.path()).header("origin", "https://kube-assay.dev");

    for request in [options.clone(), options.identity(Identity::Anonymous)] {
        let response = cx.send(request).await?;

        response.expect_status(&[200, 204, 405, 401, 403])?;
        let object = response.json().is_some_and(|body| body["metadata"]["name"].is_string());
        response.expect(!object, "no object in the response to OPTIONS", response.brief())?;
    }
    Ok(())
}
