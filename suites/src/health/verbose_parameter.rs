//! The parameter `verbose`.

use super::listing::Listing;
use super::{ENDPOINTS, get, send_if_served};
use crate::prelude::*;

rows![
    health_verbose_all_endpoints.own_kinds().read_only(),
    health_verbose_line_format.own_kinds().read_only(),
    health_verbose_is_presence_flag.own_kinds().read_only(),
    health_example_check_names.own_kinds().read_only(),
    health_readyz_includes_shutdown.own_kinds().read_only(),
    health_readyz_store_check.own_kinds().read_only(),
];

async fn health_verbose_all_endpoints(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let listing = Listing::get(&cx, endpoint, "").await?;
        listing.expect(listing.is_long(), "several lines with the checks")?;
    }
    Ok(())
}

async fn health_verbose_line_format(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let listing = Listing::get(&cx, endpoint, "").await?;
        let lines = listing.lines();
        let (last, checks) = lines.split_last().unwrap_or((&"", &[]));
        let all_passed = listing.names().len() == checks.len() && !checks.is_empty();
        listing.expect(all_passed, "a line of the form \"[+]<name> ok\" for each check")?;
        // Before 1.18 every endpoint closed with healthz, as the published examples still show.
        let closing = [format!("{} check passed", &endpoint[1..]), "healthz check passed".to_owned()];
        let closes = closing.iter().any(|known| known == last) && listing.exchange.text().ends_with('\n');
        listing.expect(closes, format!("the closing line {:?}", closing[0]))?;
    }
    Ok(())
}

/// Queries, and whether they select verbose output.
const FORMS: [(&str, bool); 5] = [
    ("verbose=", true),
    ("verbose=true", true),
    ("verbose=false", true),
    ("verbose=0", true),
    ("VERBOSE", false),
];

async fn health_verbose_is_presence_flag(cx: Context) -> Checked {
    Listing::long(&cx, "/livez").await?;

    for (query, long) in FORMS {
        let response = send_if_served(&cx, get("/livez").raw_query(query)).await?;
        response.expect_status(&[200])?;
        let listing = Listing::of(response);
        let form = if long { "verbose" } else { "short" };
        listing.expect(listing.is_long() == long, format!("{form} output for ?{query}"))?;
    }
    Ok(())
}

async fn health_example_check_names(cx: Context) -> Checked {
    let listing = Listing::long(&cx, "/livez").await?;

    listing.expect(listing.subjects().contains(&"ping"), "a check ping")
}

async fn health_readyz_includes_shutdown(cx: Context) -> Checked {
    let live = Listing::long(&cx, "/livez").await?;
    let ready = Listing::long(&cx, "/readyz").await?;

    live.expect(!live.subjects().contains(&"shutdown"), "no check shutdown of /livez")?;
    ready.expect(ready.subjects().contains(&"shutdown"), "a check shutdown of /readyz")
}

async fn health_readyz_store_check(cx: Context) -> Checked {
    let live = Listing::long(&cx, "/livez").await?;
    let ready = Listing::long(&cx, "/readyz").await?;

    if !has_store_check(&ready) && has_store_check(&live) {
        return Err(Halt::skip("/readyz of the server has no check of the store, as in OpenShift"));
    }
    ready.expect(has_store_check(&ready), "a check of the store, such as etcd")
}

/// Whether a check has the name of a store. Stores other than etcd use its name, or their own.
fn has_store_check(listing: &Listing) -> bool {
    let words = ["etcd", "kine", "datastore", "database"];
    listing.subjects().iter().any(|name| words.iter().any(|word| name.contains(word)))
}
