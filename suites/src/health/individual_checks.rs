//! Individual checks, such as /livez/ping.

use std::collections::BTreeSet;

use super::endpoints::{expect_ok, expect_plain_text};
use super::listing::Listing;
use super::{get, send_if_served};
use crate::prelude::*;

rows![
    health_individual_check_path.own_kinds().read_only(),
    health_individual_names_from_verbose.own_kinds().read_only(),
    health_individual_livez_vs_readyz.own_kinds().read_only(),
    health_individual_body.own_kinds().read_only(),
    health_individual_unknown.own_kinds().read_only(),
    health_individual_healthz.own_kinds().read_only(),
];

/// The maximum duration of the requests for the checks of an endpoint.
const LONGEST: Duration = Duration::from_secs(3);

/// The number of checks that are tested regardless of the duration.
const AT_LEAST: usize = 3;

async fn health_individual_check_path(cx: Context) -> Checked {
    for endpoint in ["/livez", "/readyz"] {
        let listing = Listing::learn(&cx, endpoint).await?;
        let names = listing.names().into_iter().filter(|name| !name.contains('/'));
        each_responds(&cx, endpoint, names).await?;
    }
    Ok(())
}

async fn health_individual_names_from_verbose(cx: Context) -> Checked {
    let mut tested = false;
    for endpoint in ["/livez", "/readyz"] {
        let listing = Listing::learn(&cx, endpoint).await?;
        let mut names = listing.slashed();
        // Names with most slashes first, because the duration is limited.
        names.sort_by_key(|name| std::cmp::Reverse(name.matches('/').count()));
        tested |= !names.is_empty();
        each_responds(&cx, endpoint, names.into_iter()).await?;
    }
    Halt::skip_unless(tested, "no check of the server has a slash in its name")
}

/// Each of these checks has a path under the endpoint.
async fn each_responds(cx: &Context, endpoint: &str, names: impl Iterator<Item = &str>) -> Checked {
    let began = Instant::now();
    for (count, name) in names.enumerate() {
        if count >= AT_LEAST && began.elapsed() > LONGEST {
            break;
        }
        send_if_served(cx, get(&format!("{endpoint}/{name}"))).await?.expect_status(&[200])?;
    }
    Ok(())
}

async fn health_individual_livez_vs_readyz(cx: Context) -> Checked {
    let live = Listing::learn(&cx, "/livez").await?;
    let ready = Listing::learn(&cx, "/readyz").await?;
    let names =
        |listing: &Listing| -> BTreeSet<String> { listing.names().into_iter().map(str::to_owned).collect() };
    let (live, ready) = (names(&live), names(&ready));
    Halt::skip_unless(live != ready, "/livez and /readyz of the server have the same checks")?;

    let of_ready = ready.difference(&live).map(|name| ("/readyz", "/livez", name));
    let of_live = live.difference(&ready).map(|name| ("/livez", "/readyz", name));
    for (own, other, name) in of_ready.chain(of_live) {
        send_if_served(&cx, get(&format!("{own}/{name}"))).await?.expect_status(&[200])?;
        send_if_served(&cx, get(&format!("{other}/{name}"))).await?.expect_status(&[404])?;
    }
    Ok(())
}

async fn health_individual_body(cx: Context) -> Checked {
    let listing = Listing::learn(&cx, "/livez").await?;
    let (name, _) = listing.two();

    for parameters in ["", "verbose", &format!("exclude={name}")] {
        let response = send_if_served(&cx, get(&format!("/livez/{name}")).raw_query(parameters)).await?;
        expect_ok(&response)?;
        expect_plain_text(&response)?;
    }
    Ok(())
}

async fn health_individual_unknown(cx: Context) -> Checked {
    let listing = Listing::learn(&cx, "/livez").await?;
    let (name, _) = listing.two();

    send_if_served(&cx, get("/livez/nosuch")).await?.expect_status(&[404])?;
    for path in ["/livez/".to_owned(), format!("/livez/{name}/")] {
        // A server may redirect to the path without the final slash.
        send_if_served(&cx, get(&path)).await?.expect_status(&[404, 301, 307, 308])?;
    }
    Ok(())
}

async fn health_individual_healthz(cx: Context) -> Checked {
    let listing = Listing::learn(&cx, "/healthz").await?;
    let (name, _) = listing.two();

    send_if_served(&cx, get(&format!("/healthz/{name}"))).await?.expect_status(&[200])
}
