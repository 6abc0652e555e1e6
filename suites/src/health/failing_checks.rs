//! Failing health checks, while the operator's hook breaks the store.

use std::collections::BTreeSet;
use std::future::Future;

use harness::Identity;

use super::listing::Listing;
use super::{FAILING, get, when_well};
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

/// The endpoints that tell a broken store. Liveness first: readiness may leave the store out on purpose.
const TELLING: [&str; 2] = ["/livez", "/readyz"];

/// What a broken store looks like.
#[derive(Debug, Clone)]
struct Outage {
    /// The endpoint that failed first; the first one if none did.
    endpoint: &'static str,
    /// Its answer.
    answer: Arc<Exchange>,
    /// The checks that it names as failing.
    failing: BTreeSet<String>,
    /// The checks of each endpoint before the outage.
    checks: Vec<(&'static str, BTreeSet<String>)>,
}

async fn expect_failing_endpoints(cx: Context, outage: Outage) -> Checked {
    outage.answer.expect_status(FAILING)?;

    for (endpoint, checks) in &outage.checks {
        if outage.failing.is_disjoint(checks) {
            cx.note(format!("{endpoint} leaves {} out", in_words(&outage.failing)));
            continue;
        }
        let failed = || async {
            let answer = cx.send(get(endpoint)).await?;
            Ok((!answer.succeeded()).then_some(answer))
        };
        let Some(answer) = cx.eventually(failed).await? else {
            let expected = format!("{endpoint} failing, as it has the check {}", in_words(&outage.failing));
            return Err(cx.failed(expected, "HTTP 200", None));
        };
        answer.expect_status(FAILING)?;
    }
    Ok(())
}

async fn expect_verbose_failure(cx: Context, outage: Outage) -> Checked {
    expect_failure_without_reasons(&outage, &outage.answer)?;

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
        let answer = cx.send(request).await?;
        let more = Listing::of(answer.clone()).failing();
        // One failure may lead to another, so it is only wrong to fail without a check that is not excluded.
        if answer.status() == 200 || more.is_subset(&excluded) {
            return answer.expect_status(&[200]);
        }
        excluded.extend(more);
    }
}

async fn expect_reason(cx: Context, outage: Outage) -> Checked {
    for name in outage.failing_checks(&cx)? {
        let answer = cx.send(get(&format!("{}/{name}", outage.endpoint))).await?;
        if answer.status() == 403 {
            return Err(Halt::Skipped("not allowed to ask individual checks on this server".to_owned()));
        }
        answer.expect_status(FAILING)?;
        let text = answer.text();
        let reason = text.trim_end().strip_prefix("internal server error: ").unwrap_or_default();
        answer.expect(!reason.is_empty(), "internal server error: <reason>", answer.brief())?;
    }
    Ok(())
}

impl Outage {
    /// The failing checks; without any there is nothing to ask.
    fn failing_checks(&self, cx: &Context) -> Result<BTreeSet<String>, Halt> {
        if self.failing.is_empty() {
            let attempted =
                format!("learn from {} which check fails while the store is broken", self.endpoint);
            return Err(cx.test_error(attempted, self.answer.brief()).into());
        }
        Ok(self.failing.clone())
    }
}

/// A line per check with the bare verdict, and a closing line.
fn expect_failure_without_reasons(outage: &Outage, answer: &Arc<Exchange>) -> Checked {
    let listing = Listing::of(answer.clone());
    let lines = listing.lines();
    let (last, checks) = lines.split_last().unwrap_or((&"", &[]));
    let failed = |line: &&&str| line.starts_with("[-]") && line.ends_with(" failed: reason withheld");
    let told = checks.iter().filter(failed).count();
    listing.expect(told > 0, "a line \"[-]<name> failed: reason withheld\"")?;
    listing.expect(
        told + listing.names().len() == checks.len(),
        "the bare verdict of each check, and no reason",
    )?;
    let before = outage.checks.iter().find(|(endpoint, _)| *endpoint == outage.endpoint);
    let count = before.map_or(0, |(_, names)| names.len());
    listing.expect(checks.len() == count, format!("a line for each of the {count} checks"))?;
    let closing = format!("{} check failed", &outage.endpoint[1..]);
    listing.expect(*last == closing, format!("the closing line {closing:?}"))
}

fn in_words(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Asks while the store is broken, and mends it whatever the answer.
async fn during_an_outage<F>(cx: Context, question: fn(Context, Outage) -> F) -> Checked
where
    F: Future<Output = Checked>,
{
    // Nothing is broken that could not be mended: this hook must be there, and must work.
    cx.run_hook("mend-store").await?;
    recovery(&cx).await?;
    let mut checks = Vec::new();
    for endpoint in TELLING {
        let listing = Listing::learn(&cx, endpoint).await?;
        checks.push((endpoint, listing.names().into_iter().map(str::to_owned).collect()));
    }

    cx.run_hook("break-store").await?;
    let answer = match outage(&cx, checks).await {
        Ok(outage) => question(cx.clone(), outage).await,
        Err(halt) => Err(halt),
    };

    let mended = cx.run_hook("mend-store").await;
    let recovered = recovery(&cx).await;
    answer.and(mended).and(recovered)
}

/// Waits until an endpoint fails, as long as we are patient.
async fn outage(cx: &Context, checks: Vec<(&'static str, BTreeSet<String>)>) -> Result<Outage, Halt> {
    let look = || async {
        for endpoint in TELLING {
            let answer = cx.send(get(endpoint)).await?;
            if !answer.succeeded() {
                return Ok(Some((endpoint, answer)));
            }
        }
        Ok(None)
    };
    let (endpoint, answer) = match cx.eventually(look).await? {
        Some(failed) => failed,
        None => (TELLING[0], cx.send(get(TELLING[0])).await?),
    };
    let failing = Listing::of(answer.clone()).failing();
    Ok(Outage { endpoint, answer, failing, checks })
}

/// Waits until the server serves again.
async fn recovery(cx: &Context) -> Checked {
    for endpoint in TELLING {
        when_well(cx, get(endpoint)).await?;
    }
    let serves = || async {
        let listed = cx.send(Request::get("/api/v1/namespaces").query("limit", 1)).await?;
        Ok((listed.status() < 500).then_some(()))
    };
    match cx.eventually(serves).await? {
        Some(()) => Ok(()),
        None => Err(cx.test_error("see the server recover", "lists are still not served").into()),
    }
}
