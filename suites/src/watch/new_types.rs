//! Watches of a custom resource right after its definition.

use harness::invariant;
use harness::invariant::{CheckResult, ensure};

use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![row!(watch_unready_429).own_kinds(), invariant("watch-unready-429", has_retry_after)]
}

/// Number of lists and watches of the new type.
const ROUNDS: usize = 8;

/// An invariant check judges the responses 429; here each request gets a response, and the last watch succeeds.
async fn watch_unready_429(cx: Context) -> Checked {
    const LONGEST: Duration = Duration::from_secs(5);
    let collection = cx.fresh_custom_resources().await?;
    let start = Instant::now();

    for round in 0..ROUNDS {
        let listed = collection.list().response_within(cx.event_timeout()).await?;
        let Some(listed) = listed else { return Err(no_response(&cx, "list")) };
        let watch = Request::get(collection.path()).query("watch", 1);
        let watch = watch.query("resourceVersion", listed.page()?.version);
        match cx.open_within(watch, cx.event_timeout()).await? {
            Some(Opening::Watch(_)) => {}
            Some(Opening::Rejected(refused)) => return Err(refused.fail("a watch, or 429", refused.brief())),
            None => return Err(no_response(&cx, "watch")),
        }
        if round > 0 && start.elapsed() > LONGEST {
            break;
        }
    }
    Ok(())
}

fn no_response(cx: &Context, verb: &str) -> Halt {
    cx.failed(format!("a {verb} of a new type, or a rejection with 429"), "no response", None)
}

/// The 429 of a list or watch has Retry-After.
fn has_retry_after(exchange: &Exchange) -> CheckResult {
    let read = exchange.request.method == "GET" && exchange.request.path.starts_with("/api");
    (exchange.status() == 429 && read).then(|| {
        let seconds = exchange.header("retry-after").unwrap_or("none");
        let whole = seconds.parse::<u64>().is_ok();
        ensure(whole, "Retry-After in whole seconds", || format!("Retry-After: {seconds}"))
    })
}
