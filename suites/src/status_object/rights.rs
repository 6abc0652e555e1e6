//! Those whom the server does not know, and those who may not.

use std::sync::Arc;

use harness::{Context, Exchange, Halt, Identity, Request, Suite};

use super::details::{expect_kind, expect_named};
use crate::nobody;
use crate::stored::{NAME, Stored};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-object-unauthorized", a_token_of_nobody_is_unauthorized)
        .on_every_shape()
        .scenario("status-object-unauthorized-details-kind", what_is_unauthorized_names_the_resource)
        .on_every_shape()
        .scenario("status-object-unauthorized-details-name", what_is_unauthorized_names_the_object)
        .on_every_shape()
        .scenario("status-object-forbidden", what_is_not_granted_is_forbidden)
        .on_every_shape()
        .scenario("status-object-forbidden-details-kind", what_is_forbidden_names_the_resource)
        .on_every_shape()
        .scenario("status-object-forbidden-details-name", what_is_forbidden_names_the_object)
        .on_every_shape()
}

/// A get with a token that nobody has. Skips where tokens are not looked at: everybody is let in, or what is answered
/// without one is answered, and we do not know better.
pub(crate) async fn unauthorized(cx: &Context, stored: &Stored) -> Result<Arc<Exchange>, Halt> {
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

async fn a_token_of_nobody_is_unauthorized(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = unauthorized(&cx, &stored).await?;

    refused.expect_error(&[401], &["Unauthorized"]).map(drop)
}

async fn what_is_unauthorized_names_the_resource(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = unauthorized(&cx, &stored).await?;

    refused.expect_status(&[401])?;
    expect_kind(&refused, &stored.things)
}

async fn what_is_unauthorized_names_the_object(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = unauthorized(&cx, &stored).await?;

    refused.expect_status(&[401])?;
    expect_named(&refused, "name", &[&stored.things.name_of(NAME)])
}

async fn what_is_not_granted_is_forbidden(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = nobody::is_refused(&cx, Request::get(stored.path())).await?;

    refused.expect_error(&[403], &["Forbidden"]).map(drop)
}

async fn what_is_forbidden_names_the_resource(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = nobody::is_refused(&cx, Request::get(stored.path())).await?;

    refused.expect_status(&[403])?;
    expect_kind(&refused, &stored.things)
}

async fn what_is_forbidden_names_the_object(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let refused = nobody::is_refused(&cx, Request::get(stored.path())).await?;

    refused.expect_status(&[403])?;
    expect_named(&refused, "name", &[&stored.things.name_of(NAME)])
}
