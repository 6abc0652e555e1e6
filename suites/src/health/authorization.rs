//! Authorization of the health endpoints.

use harness::Identity;

use super::listing::Listing;
use super::permissions::{NOWHERE, Who};
use super::{ENDPOINTS, anonymous_may_ask, get, is_missing, when_well};
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
        let answer = when_well(&cx, get(endpoint).identity(Identity::Anonymous)).await?;
        if matches!(answer.status(), 401 | 403) {
            return Err(demands_credentials(&cx, &answer).await?);
        }
        if is_missing(&answer) {
            return Err(Halt::Skipped(format!("this server has no {endpoint}")));
        }
        answer.expect_status(&[200])?;
    }
    Ok(())
}

/// Most often it is the operator's choice to ask for credentials; it is none if the server says that it does not.
async fn demands_credentials(cx: &Context, answer: &Exchange) -> Result<Halt, Halt> {
    let path = &answer.request.path;
    let choice = Halt::Skipped(format!("anonymous requests may not ask {path} here: {}", answer.brief()));
    if Who::Anonymous.may(cx, "get", path).await? != Some(true) {
        return Ok(choice);
    }
    // Anonymous users may be let in for some paths only. Whoever is let in for a path of no meaning is so for all.
    let anywhere = cx.send(get(NOWHERE).identity(Identity::Anonymous)).await?;
    if answer.status() == 401 && anywhere.status() == 401 {
        return Ok(choice);
    }
    Ok(answer.fail("HTTP 200: anonymous users are let in, and may get this path", answer.brief()))
}

async fn health_verbose_unauthenticated(cx: Context) -> Checked {
    anonymous_may_ask(&cx).await?;
    Listing::long(&cx, "/livez").await?;

    let answer = when_well(&cx, get("/livez").raw_query("verbose").identity(Identity::Anonymous)).await?;

    answer.expect_status(&[200])?;
    let listing = Listing::of(answer);
    listing.expect(listing.is_long(), "the checks and their status")
}

async fn health_invalid_credentials_refused(cx: Context) -> Checked {
    let bad = || Identity::Bearer("invalid".to_owned());
    let answer = when_well(&cx, get("/livez").identity(bad())).await?;
    if is_missing(&answer) {
        return Err(Halt::Skipped("this server has no /livez".to_owned()));
    }
    if answer.status() == 401 {
        return answer.expect_refusal(&[401]).map(drop);
    }
    let secured = Request::get("/api/v1/namespaces").query("limit", 1).identity(bad());
    let secured = cx.send(secured).await?;
    if secured.succeeded() || secured.status() == 404 {
        return Err(Halt::Skipped("this server asks nobody for credentials".to_owned()));
    }

    answer.expect_status(&[401])
}

async fn health_anonymous_individual_denied(cx: Context) -> Checked {
    anonymous_may_ask(&cx).await?;

    let mut refused = false;
    for who in [Who::Anonymous, Who::Ordinary] {
        let Some(refusal) = who.is_refused(&cx, get("/livez/ping")).await? else { continue };
        refusal.expect_error(&[401, 403], &["Forbidden", "Unauthorized"])?;
        refused = true;
    }
    if refused { Ok(()) } else { Err(granted_to_all()) }
}

async fn health_head_anonymous(cx: Context) -> Checked {
    anonymous_may_ask(&cx).await?;

    let head = Request::new(Method::HEAD, "/livez").accept("*/*");
    let refused = Who::Anonymous.is_refused(&cx, head).await?;

    if refused.is_some() { Ok(()) } else { Err(granted_to_all()) }
}

/// Nothing could be asked, because nobody lacks the permission.
pub(super) fn granted_to_all() -> Halt {
    Halt::Skipped("on this server users without rights may do this, or it does not say".to_owned())
}
