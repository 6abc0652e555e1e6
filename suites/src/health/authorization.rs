//! Authorization of the health endpoints.

use harness::Identity;

use super::listing::Listing;
use super::permissions::{NOWHERE, Who, allowed_to_all, refusals};
use super::{ENDPOINTS, get, is_missing, missing, require_anonymous_access, send_when_healthy};
use crate::prelude::*;

rows![
    health_anonymous_root_endpoints.own_kinds().read_only(),
    health_verbose_unauthenticated.own_kinds().read_only(),
    health_invalid_credentials_refused.own_kinds().read_only(),
    health_anonymous_individual_denied.own_kinds().read_only(),
    health_head_anonymous.own_kinds().read_only(),
];

async fn health_anonymous_root_endpoints(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let response = send_when_healthy(&cx, get(endpoint).identity(Identity::Anonymous)).await?;
        if matches!(response.status(), 401 | 403) {
            return Err(demands_credentials(&cx, &response).await?);
        }
        if is_missing(&response) {
            return Err(missing(endpoint));
        }
        response.expect_status(&[200])?;
    }
    Ok(())
}

/// A skip, because an operator may demand credentials; a failure if the server's own authorizer allows the request.
async fn demands_credentials(cx: &Context, response: &Exchange) -> Result<Halt, Halt> {
    let path = &response.request.path;
    let choice = Halt::skip(format!("anonymous requests may not get {path}: {}", response.brief()));
    if Who::Anonymous.may(cx, "get", path).await? != Some(true) {
        return Ok(choice);
    }
    // A server may accept anonymous users for some paths only. If it does for an unknown path, it does for all.
    let anywhere = cx.send(get(NOWHERE).identity(Identity::Anonymous)).await?;
    if response.status() == 401 && anywhere.status() == 401 {
        return Ok(choice);
    }
    Ok(response.fail("HTTP 200, because the authorizer allows anonymous users", response.brief()))
}

async fn health_verbose_unauthenticated(cx: Context) -> Checked {
    require_anonymous_access(&cx).await?;
    Listing::long(&cx, "/livez").await?;

    let response =
        send_when_healthy(&cx, get("/livez").raw_query("verbose").identity(Identity::Anonymous)).await?;

    response.expect_status(&[200])?;
    let listing = Listing::of(response);
    listing.expect(listing.is_long(), "a list of the checks")
}

async fn health_invalid_credentials_refused(cx: Context) -> Checked {
    let bad = || Identity::Bearer("invalid".to_owned());
    let response = send_when_healthy(&cx, get("/livez").identity(bad())).await?;
    if is_missing(&response) {
        return Err(missing("/livez"));
    }
    if response.status() == 401 {
        return response.expect_rejection(&[401]).map(drop);
    }
    let secured = Request::get("/api/v1/namespaces").query("limit", 1).identity(bad());
    let secured = cx.send(secured).await?;
    if secured.succeeded() || secured.status() == 404 {
        return Err(Halt::skip("the server demands no credentials"));
    }

    response.expect_status(&[401])
}

async fn health_anonymous_individual_denied(cx: Context) -> Checked {
    require_anonymous_access(&cx).await?;

    let refusals = refusals(&cx, "/livez/ping").await?;

    let forbids =
        |refusal: &Arc<Exchange>| refusal.expect_error(&[401, 403], &["Forbidden", "Unauthorized"]).map(drop);
    refusals.iter().try_for_each(forbids)
}

async fn health_head_anonymous(cx: Context) -> Checked {
    require_anonymous_access(&cx).await?;

    let head = Request::new(Method::HEAD, "/livez").accept("*/*");
    let refused = Who::Anonymous.is_refused(&cx, head).await?;

    if refused.is_some() { Ok(()) } else { Err(allowed_to_all()) }
}
