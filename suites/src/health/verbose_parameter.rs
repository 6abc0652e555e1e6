//! The parameter `verbose`.

use super::listing::Listing;
use super::{ENDPOINTS, ask, get};
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
        let listing = Listing::ask(&cx, endpoint, "").await?;
        listing.expect(listing.is_long(), "several lines, the checks and their status")?;
    }
    Ok(())
}

async fn health_verbose_line_format(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let listing = Listing::ask(&cx, endpoint, "").await?;
        let lines = listing.lines();
        let (last, checks) = lines.split_last().unwrap_or((&"", &[]));
        listing.expect(
            listing.names().len() == checks.len() && !checks.is_empty(),
            "lines of the form \"[+]<name> ok\" for each check",
        )?;
        // Before 1.18 every endpoint closed with healthz, as the published examples still show.
        let closing = [format!("{} check passed", &endpoint[1..]), "healthz check passed".to_owned()];
        listing.expect(
            closing.iter().any(|known| known == last) && listing.exchange.text().ends_with('\n'),
            format!("the closing line {:?}", closing[0]),
        )?;
    }
    Ok(())
}

/// Queries, and whether they ask for the long form.
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
        let answer = ask(&cx, get("/livez").raw_query(query)).await?;
        answer.expect_status(&[200])?;
        let listing = Listing::of(answer);
        let form = if long { "long" } else { "short" };
        listing.expect(listing.is_long() == long, format!("the {form} form for ?{query}"))?;
    }
    Ok(())
}

async fn health_example_check_names(cx: Context) -> Checked {
    let listing = Listing::long(&cx, "/livez").await?;

    listing.expect(listing.subjects().contains(&"ping"), "a check named ping")
}

async fn health_readyz_includes_shutdown(cx: Context) -> Checked {
    let live = Listing::long(&cx, "/livez").await?;
    let ready = Listing::long(&cx, "/readyz").await?;

    live.expect(!live.subjects().contains(&"shutdown"), "no check of the shutdown under /livez")?;
    ready.expect(ready.subjects().contains(&"shutdown"), "a check of the shutdown under /readyz")
}

async fn health_readyz_store_check(cx: Context) -> Checked {
    let live = Listing::long(&cx, "/livez").await?;
    let ready = Listing::long(&cx, "/readyz").await?;

    if !looks_at_the_store(&ready) && looks_at_the_store(&live) {
        let reason = "this server keeps its store out of /readyz, as OpenShift's does on purpose";
        return Err(Halt::Skipped(reason.to_owned()));
    }
    ready.expect(looks_at_the_store(&ready), "a check of the store, such as etcd")
}

/// Whether a check is named after a store. Stores other than etcd answer in its name, or have their own.
fn looks_at_the_store(listing: &Listing) -> bool {
    let words = ["etcd", "kine", "datastore", "database"];
    listing.subjects().iter().any(|name| words.iter().any(|word| name.contains(word)))
}
