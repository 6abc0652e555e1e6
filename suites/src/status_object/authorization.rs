//! The reasons Unauthorized and Forbidden.

use harness::Identity;

use super::details::{expect_kind, expect_named};
use crate::prelude::*;
use crate::unprivileged_user;

rows![
    status_object_unauthorized,
    status_object_unauthorized_details_kind,
    status_object_unauthorized_details_name,
    status_object_forbidden,
    status_object_forbidden_details_kind,
    status_object_forbidden_details_name,
];

/// A get with a token that nobody has. Skips where tokens are not looked at: everybody is let in, or what is answered
/// without one is answered, and we do not know better.
pub(crate) async fn unauthorized(cx: &Context, stored: &StoredObject) -> Result<Arc<Exchange>, Halt> {
    let get = Request::get(stored.path());
    let with_token = Identity::Bearer("kube-assay-token-of-nobody".to_owned());
    let answer = cx.send(get.clone().identity(with_token)).await?;
    if answer.status() != 401 {
        let anonymous = cx.send(get.identity(Identity::Anonymous)).await?;
        let ignored = (answer.status(), answer.text()) == (anonymous.status(), anonymous.text());
        if ignored && (anonymous.succeeded() || !cx.is_known_by_token().await?) {
            return Err(
                cx.lacks("Authentication", format!("a token of nobody is answered {}", answer.brief()))
            );
        }
    }
    Ok(answer)
}

async fn status_object_unauthorized(cx: Context, stored: StoredObject) -> Checked {
    let refused = unauthorized(&cx, &stored).await?;

    refused.expect_error(&[401], &["Unauthorized"]).map(drop)
}

async fn status_object_unauthorized_details_kind(cx: Context, stored: StoredObject) -> Checked {
    let refused = unauthorized(&cx, &stored).await?;

    refused.expect_status(&[401])?;
    expect_kind(&refused, &stored.collection)
}

async fn status_object_unauthorized_details_name(cx: Context, stored: StoredObject) -> Checked {
    let refused = unauthorized(&cx, &stored).await?;

    refused.expect_status(&[401])?;
    expect_named(&refused, "name", &[&stored.collection.name_of(NAME)])
}

async fn status_object_forbidden(cx: Context, stored: StoredObject) -> Checked {
    let refused = unprivileged_user::is_refused(&cx, Request::get(stored.path())).await?;

    refused.expect_error(&[403], &["Forbidden"]).map(drop)
}

async fn status_object_forbidden_details_kind(cx: Context, stored: StoredObject) -> Checked {
    let refused = unprivileged_user::is_refused(&cx, Request::get(stored.path())).await?;

    refused.expect_status(&[403])?;
    expect_kind(&refused, &stored.collection)
}

async fn status_object_forbidden_details_name(cx: Context, stored: StoredObject) -> Checked {
    let refused = unprivileged_user::is_refused(&cx, Request::get(stored.path())).await?;

    refused.expect_status(&[403])?;
    expect_named(&refused, "name", &[&stored.collection.name_of(NAME)])
}
