//! Individual checks, such as /livez/ping.

use std::collections::BTreeSet;

use super::endpoints::expect_plain_text;
use super::listing::Listing;
use super::{ask, get};
use crate::prelude::*;

rows![
    health_individual_check_path.own_kinds().read_only(),
    health_individual_names_from_verbose.own_kinds().read_only(),
    health_individual_livez_vs_readyz.own_kinds().read_only(),
    health_individual_body.own_kinds().read_only(),
    health_individual_unknown.own_kinds().read_only(),
    health_individual_healthz.own_kinds().read_only(),
];

/// How long the paths of an endpoint's checks are tried.
const AT_MOST: Duration = Duration::from_secs(3);

/// How many paths are tried however long it takes.
const AT_LEAST: usize = 3;

async fn health_individual_check_path(cx: Context) -> Checked {
    for endpoint in ["/livez", "/readyz"] {
        let listing = Listing::learn(&cx, endpoint).await?;
        let names = listing.names().into_iter().filter(|name| !name.contains('/'));
        each_answers(&cx, endpoint, names).await?;
    }
    Ok(())
}

async fn health_individual_names_from_verbose(cx: Context) -> Checked {
    let mut asked = false;
    for endpoint in ["/livez", "/readyz"] {
        let listing = Listing::learn(&cx, endpoint).await?;
        let mut names = listing.slashed();
        // The ones with most slashes first, in case there is no time for all.
        names.sort_by_key(|name| std::cmp::Reverse(name.matches('/').count()));
        asked |= !names.is_empty();
        each_answers(&cx, endpoint, names.into_iter()).await?;
    }
    if asked {
        Ok(())
    } else {
        Err(Halt::Skipped("no check of this server has a slash in its name".to_owned()))
    }
}

/// Each of these checks has a path under the endpoint.
async fn each_answers(cx: &Context, endpoint: &str, names: impl Iterator<Item = &str>) -> Checked {
    let began = Instant::now();
    for (count, name) in names.enumerate() {
        if count >= AT_LEAST && began.elapsed() > AT_MOST {
            break;
        }
        ask(cx, get(&format!("{endpoint}/{name}"))).await?.expect_status(&[200])?;
    }
    Ok(())
}

async fn health_individual_livez_vs_readyz(cx: Context) -> Checked {
    let live = Listing::learn(&cx, "/livez").await?;
    let ready = Listing::learn(&cx, "/readyz").await?;
    let names =
        |listing: &Listing| -> BTreeSet<String> { listing.names().into_iter().map(str::to_owned).collect() };
    let (live, ready) = (names(&live), names(&ready));
    if live == ready {
        let reason = "/livez and /readyz have the same checks on this server";
        return Err(Halt::Skipped(reason.to_owned()));
    }

    for (own, other, name) in ready
        .difference(&live)
        .map(|name| ("/readyz", "/livez", name))
        .chain(live.difference(&ready).map(|name| ("/livez", "/readyz", name)))
    {
        ask(&cx, get(&format!("{own}/{name}"))).await?.expect_status(&[200])?;
        ask(&cx, get(&format!("{other}/{name}"))).await?.expect_status(&[404])?;
    }
    Ok(())
}

async fn health_individual_body(cx: Context) -> Checked {
    let listing = Listing::learn(&cx, "/livez").await?;
    let (name, _) = listing.two();

    for parameters in ["", "verbose", &format!("exclude={name}")] {
        let answer = ask(&cx, get(&format!("/livez/{name}")).raw_query(parameters)).await?;
        answer.expect_status(&[200])?;
        answer.expect(answer.text() == "ok", "the two characters ok", answer.brief())?;
        expect_plain_text(&answer)?;
    }
    Ok(())
}

async fn health_individual_unknown(cx: Context) -> Checked {
    let listing = Listing::learn(&cx, "/livez").await?;
    let (name, _) = listing.two();

    ask(&cx, get("/livez/nosuch")).await?.expect_status(&[404])?;
    for path in ["/livez/".to_owned(), format!("/livez/{name}/")] {
        // A server may lead from a path with a slash at its end to the one without.
        ask(&cx, get(&path)).await?.expect_status(&[404, 301, 307, 308])?;
    }
    Ok(())
}

async fn health_individual_healthz(cx: Context) -> Checked {
    let listing = Listing::learn(&cx, "/healthz").await?;
    let (name, _) = listing.two();

    ask(&cx, get(&format!("/healthz/{name}"))).await?.expect_status(&[200])
}
