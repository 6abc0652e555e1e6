//! The reasons Unauthorized and Forbidden.

use harness::Identity;

use super::details::Named::{self, Kind, Object};
use crate::prelude::*;
use crate::unprivileged_user;

pub(super) fn rows() -> Vec<Row> {
    table(REJECTED, Kinds::All, rejected)
}

/// A status code, and the subject of the details of the Status.
#[rustfmt::skip]
const REJECTED: &[(&str, (u16, Option<Named>))] = &[
    ("status-object-unauthorized",              (401, None)),
    ("status-object-unauthorized-details-kind", (401, Some(Kind))),
    ("status-object-unauthorized-details-name", (401, Some(Object))),
    ("status-object-forbidden",                 (403, None)),
    ("status-object-forbidden-details-kind",    (403, Some(Kind))),
    ("status-object-forbidden-details-name",    (403, Some(Object))),
];

async fn rejected(cx: Context, (code, named): (u16, Option<Named>)) -> Checked {
    let stored = StoredObject::create(&cx).await?;
    let (response, reason) = match code {
        401 => (unauthorized(&cx, &stored).await?, "Unauthorized"),
        _ => (unprivileged_user::is_refused(&cx, Request::get(stored.path())).await?, "Forbidden"),
    };

    let Some(named) = named else { return response.expect_error(&[code], &[reason]).map(drop) };
    response.expect_status(&[code])?;
    named.expect(&response, &stored.collection, NAME)
}

/// A GET with an invalid token. Skips where the server ignores tokens: where anonymous requests get the same response,
/// and either they succeed or the server does not know our own user.
pub(crate) async fn unauthorized(cx: &Context, stored: &StoredObject) -> Result<Arc<Exchange>, Halt> {
    let get = Request::get(stored.path());
    let invalid_token = Identity::Bearer("kube-assay-token-of-nobody".to_owned());
    let response = cx.send(get.clone().identity(invalid_token)).await?;
    if response.status() != 401 {
        let anonymous = cx.send(get.identity(Identity::Anonymous)).await?;
        let same = (response.status(), response.text()) == (anonymous.status(), anonymous.text());
        if same && (anonymous.succeeded() || !cx.is_known_by_token().await?) {
            let why = format!("the response to an invalid token is {}", response.brief());
            return Err(cx.lacks("Authentication", why));
        }
    }
    Ok(response)
}
