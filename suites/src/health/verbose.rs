//! The parameter `verbose`: the list of checks.

use harness::{Context, Halt, Suite};

use super::listing::Listing;
use super::{ENDPOINTS, ask, get};

/// What is said about `verbose`, and what the examples of its output show.
pub(super) fn scenarios(suite: Suite) -> Suite {
    suite
        .scenario("health-verbose-all-endpoints", verbose_lists_the_checks_of_every_endpoint)
        .read_only()
        .scenario("health-verbose-line-format", a_listing_has_a_line_per_check_and_a_closing_line)
        .read_only()
        .scenario("health-verbose-is-presence-flag", verbose_counts_by_its_presence)
        .read_only()
        .scenario("health-example-check-names", there_is_a_check_named_ping)
        .read_only()
        .scenario("health-readyz-includes-shutdown", only_readiness_looks_at_the_shutdown)
        .read_only()
        .scenario("health-readyz-store-check", readiness_looks_at_the_store)
        .read_only()
}

async fn verbose_lists_the_checks_of_every_endpoint(cx: Context) -> Result<(), Halt> {
    for endpoint in ENDPOINTS {
        let listing = Listing::ask(&cx, endpoint, "").await?;
        listing.expect(is_long(&listing), "several lines, the checks and their status")?;
    }
    Ok(())
}

/// Whether this is the long form, whatever its lines look like.
pub(super) fn is_long(listing: &Listing) -> bool {
    listing.lines().len() > 1 && listing.lines().iter().any(|line| line.ends_with(" ok"))
}

async fn a_listing_has_a_line_per_check_and_a_closing_line(cx: Context) -> Result<(), Halt> {
    for endpoint in ENDPOINTS {
        let listing = Listing::ask(&cx, endpoint, "").await?;
        let lines = listing.lines();
        let (last, checks) = lines.split_last().unwrap_or((&"", &[]));
        let odd = checks.iter().find(|line| !listing.checks().contains(line));
        listing.expect(
            listing.names().len() == checks.len() && !checks.is_empty(),
            format!("lines of the form \"[+]<name> ok\", unlike {:?}", odd.unwrap_or(&"none at all")),
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
const FORMS: [(&str, bool); 6] = [
    ("verbose", true),
    ("verbose=", true),
    ("verbose=true", true),
    ("verbose=false", true),
    ("verbose=0", true),
    ("VERBOSE", false),
];

async fn verbose_counts_by_its_presence(cx: Context) -> Result<(), Halt> {
    for (query, long) in FORMS {
        let answer = ask(&cx, get("/livez").raw_query(query)).await?;
        answer.expect_status(&[200])?;
        let listing = Listing::of(answer);
        let form = if long { "long" } else { "short" };
        listing.expect(is_long(&listing) == long, format!("the {form} form for ?{query}"))?;
    }
    Ok(())
}

async fn there_is_a_check_named_ping(cx: Context) -> Result<(), Halt> {
    let listing = Listing::ask(&cx, "/livez", "").await?;

    listing.expect(listing.subjects().contains(&"ping"), "a check named ping")
}

async fn only_readiness_looks_at_the_shutdown(cx: Context) -> Result<(), Halt> {
    let live = Listing::ask(&cx, "/livez", "").await?;
    let ready = Listing::ask(&cx, "/readyz", "").await?;

    live.expect(!live.subjects().contains(&"shutdown"), "no check of the shutdown under /livez")?;
    ready.expect(ready.subjects().contains(&"shutdown"), "a check of the shutdown under /readyz")
}

async fn readiness_looks_at_the_store(cx: Context) -> Result<(), Halt> {
    let live = Listing::ask(&cx, "/livez", "").await?;
    let ready = Listing::ask(&cx, "/readyz", "").await?;

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
