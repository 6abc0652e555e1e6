//! Failing health checks, while the hook `break-store` is in effect.

use std::collections::BTreeSet;
use std::future::Future;

use harness::Identity;

use super::listing::Listing;
use super::{FAILING, get, send_when_healthy};
use crate::prelude::*;

rows![
    health_500_on_failure.own_kinds().also("health-status-code-decides").alone(),
    health_failure_is_always_verbose.own_kinds().alone(),
    health_exclude_really_skips.own_kinds().alone(),
    health_individual_failure_body.own_kinds().alone(),
];

async fn health_500_on_failure(cx: Context) -> Checked {
    during_an_outage(cx, expect_failing_endpoints).await
}

async fn health_failure_is_always_verbose(cx: Context) -> Checked {
    during_an_outage(cx, expect_verbose_failure).await
}

async fn health_exclude_really_skips(cx: Context) -> Checked {
    during_an_outage(cx, expect_pass_without_failing_checks).await
}

async fn health_individual_failure_body(cx: Context) -> Checked {
    during_an_outage(cx, expect_reason).await
}

/// The endpoints with a check of the store. /livez first, because /readyz may have none on purpose.
const STORE_ENDPOINTS: [&str; 2] = ["/livez", "/readyz"];

/// The state of the endpoints while the store is broken.
#[derive(Debug, Clone)]
struct Outage {
    /// The endpoint that failed first, or else the first endpoint.
    endpoint: &'static str,
    /// Its response.
    response: Arc<Exchange>,
    /// The failing checks in the response.
    failing: BTreeSet<String>,
    /// The checks of each endpoint before the outage.
    checks: Vec<(&'static str, BTreeSet<String>)>,
}

async fn expect_failing_endpoints(cx: Context, outage: Outage) -> Checked {
    outage.response.expect_status(FAILING)?;

    for (endpoint, checks) in &outage.checks {
        if outage.failing.is_disjoint(checks) {
            cx.note(format!("{endpoint} has no check {}", joined(&outage.failing)));
            continue;
        }
        let failed = || async {
            let response = cx.send(get(endpoint)).await?;
            Ok((!response.succeeded()).then_some(response))
        };
        let Some(response) = cx.eventually(failed).await? else {
            let expected =
                format!("a failure of {endpoint}, which has the check {}", joined(&outage.failing));
            return Err(cx.failed(expected, "HTTP 200", None));
        };
        response.expect_status(FAILING)?;
    }
    Ok(())
}

async fn expect_verbose_failure(cx: Context, outage: Outage) -> Checked {
    expect_failure_without_reasons(&outage, &outage.response)?;

    let seen_by_all = cx.send(get(outage.endpoint).identity(Identity::Anonymous)).await?;
    if matches!(seen_by_all.status(), 401 | 403) {
        return Ok(());
    }
    expect_failure_without_reasons(&outage, &seen_by_all)
}

async fn expect_pass_without_failing_checks(cx: Context, outage: Outage) -> Checked {
    let mut excluded = outage.failing_checks(&cx)?;
    loop {
        let request =
            excluded.iter().fold(get(outage.endpoint), |request, name| request.query("exclude", name));
        let response = cx.send(request).await?;
        let more = Listing::of(response.clone()).failing();
        // One failure may cause another: only a failure without a further failing check is wrong.
        if response.status() == 200 || more.is_subset(&excluded) {
            return response.expect_status(&[200]);
        }
        excluded.extend(more);
    }
}

async fn expect_reason(cx: Context, outage: Outage) -> Checked {
    for name in outage.failing_checks(&cx)? {
        let response = cx.send(get(&format!("{}/{name}", outage.endpoint))).await?;
        Halt::skip_unless(response.status() != 403, "no permission to get individual checks")?;
        response.expect_status(FAILING)?;
        let text = response.text();
        let reason = text.trim_end().strip_prefix("internal server error: ").unwrap_or_default();
        response.expect(!reason.is_empty(), "internal server error: <reason>", response.brief())?;
    }
    Ok(())
}

impl Outage {
    /// The failing checks. Their absence is a test error.
    fn failing_checks(&self, cx: &Context) -> Result<BTreeSet<String>, Halt> {
        if self.failing.is_empty() {
            let action = format!("read the failing check from {} while the store is broken", self.endpoint);
            return Err(cx.test_error(action, self.response.brief()).into());
        }
        Ok(self.failing.clone())
    }
}

/// One line for each check, without a reason, and a closing line.
fn expect_failure_without_reasons(outage: &Outage, response: &Arc<Exchange>) -> Checked {
    let listing = Listing::of(response.clone());
    let lines = listing.lines();
    let (last, checks) = lines.split_last().unwrap_or((&"", &[]));
    let failed = |line: &&&str| line.starts_with("[-]") && line.ends_with(" failed: reason withheld");
    let failures = checks.iter().filter(failed).count();
    listing.expect(failures > 0, "a line \"[-]<name> failed: reason withheld\"")?;
    let bare = failures + listing.names().len() == checks.len();
    listing.expect(bare, "a line without a reason for each check")?;
    let before = outage.checks.iter().find(|(endpoint, _)| *endpoint == outage.endpoint);
    let count = before.map_or(0, |(_, names)| names.len());
    listing.expect(checks.len() == count, format!("a line for each of the {count} checks"))?;
    let closing = format!("{} check failed", &outage.endpoint[1..]);
    listing.expect(*last == closing, format!("the closing line {closing:?}"))
}

fn joined(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Runs a check while the store is broken, and restores the store whatever the result.
async fn during_an_outage<F>(cx: Context, check: fn(Context, Outage) -> F) -> Checked
where
    F: Future<Output = Checked>,
{
    // First of all, the hook that restores the store must exist and work.
    cx.run_hook("mend-store").await?;
    recovery(&cx).await?;
    let mut checks = Vec::new();
    for endpoint in STORE_ENDPOINTS {
        let listing = Listing::learn(&cx, endpoint).await?;
        checks.push((endpoint, listing.names().into_iter().map(str::to_owned).collect()));
    }

    let stored = StoredObject::create(&cx).await?;
    cx.run_hook("break-store").await?;
    let checked = match outage(&cx, &stored, checks).await {
        Ok(outage) => check(cx.clone(), outage).await,
        Err(halt) => Err(halt),
    };

    let mended = cx.run_hook("mend-store").await;
    let recovered = recovery(&cx).await;
    checked.and(mended).and(recovered)
}

/// Waits until an endpoint fails, or until the event timeout.
async fn outage(
    cx: &Context,
    stored: &StoredObject,
    checks: Vec<(&'static str, BTreeSet<String>)>,
) -> Result<Outage, Halt> {
    let look = || async {
        for endpoint in STORE_ENDPOINTS {
            let response = cx.send(get(endpoint)).await?;
            if !response.succeeded() {
                return Ok(Some((endpoint, response)));
            }
        }
        Ok(None)
    };
    let (endpoint, response) = if let Some(failed) = cx.eventually(look).await? {
        failed
    } else {
        expect_no_write(cx, stored).await?;
        (STORE_ENDPOINTS[0], cx.send(get(STORE_ENDPOINTS[0])).await?)
    };
    let failing = Listing::of(response.clone()).failing();
    Ok(Outage { endpoint, response, failing, checks })
}

/// A server that stores a write is right to be healthy: the operator's hook has broken nothing.
async fn expect_no_write(cx: &Context, stored: &StoredObject) -> Checked {
    let write = stored.patch(MERGE, &stored.collection.change("second")).query("timeout", "3s");
    match cx.send(write).await {
        Ok(response) if response.succeeded() => {
            let hint = "does the command of the hook break-store stop the store of this server?";
            let why = "the server still stores writes, and is healthy";
            Err(cx.test_error("break the store", why).hint(hint).into())
        }
        _ => Ok(()),
    }
}

/// Waits until the server is healthy and serves lists.
async fn recovery(cx: &Context) -> Checked {
    for endpoint in STORE_ENDPOINTS {
        send_when_healthy(cx, get(endpoint)).await?;
    }
    let serves = || async {
        let listed = cx.send(Request::get("/api/v1/namespaces").query("limit", 1)).await?;
        Ok((listed.status() < 500).then_some(()))
    };
    match cx.eventually(serves).await? {
        Some(()) => Ok(()),
        None => Err(cx.test_error("wait until the server recovers", "it does not serve lists").into()),
    }
}
