//! Invariant checks of every status code.

use harness::invariant;
use harness::invariant::{CheckResult, kept};

use crate::error_response::of_resource;
use crate::invalid_requests;
use crate::prelude::*;

/// The rule, and a scenario that provokes refusals of every kind.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(status_codes_within_documented_set),
        invariant("status-codes-within-documented-set", is_documented),
        row!(status_codes_500_internal),
        row!(status_codes_504_only_with_timeout),
    ]
}

/// The codes that the reference documents, for whatever is asked.
const DOCUMENTED: &[u16] = &[
    101, 200, 201, 202, 204, 307, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 429, 500, 503, 504,
];

/// Codes that say nothing of the resource: of caches, paths that are tidied up, connections, and what lies in front of a server.
const OF_HTTP: &[u16] = &[301, 302, 304, 308, 408, 414, 421, 426, 431, 502, 505];

fn is_documented(exchange: &Exchange) -> CheckResult {
    let status = exchange.status();
    (of_resource(exchange) && !OF_HTTP.contains(&status))
        .then(|| kept(DOCUMENTED.contains(&status), "a documented status", || exchange.brief()))
}

async fn status_codes_within_documented_set(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    for mistake in invalid_requests::all(&stored) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_kept(is_documented(&refused), "a documented status")?;
    }
    Ok(())
}

/// Not among them: versions that are none, and what is too large for the store. kube-apiserver takes those for its own.
async fn status_codes_500_internal(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    for mistake in invalid_requests::all(&stored) {
        let refused = cx.send(mistake.request).await?;

        let code = refused.status();
        refused.expect(
            (400..500).contains(&code),
            "HTTP 4xx: it is the client's mistake",
            refused.brief(),
        )?;
    }
    Ok(())
}

async fn status_codes_504_only_with_timeout(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    let answers = [
        stored.get().await?,
        stored.collection.list().await?,
        stored.put(&stored.again().await?.body("third")).await?,
        cx.send(stored.patch(MERGE, &stored.collection.change("fourth"))).await?,
        cx.send(harness::Request::delete(stored.path())).await?,
    ];

    let cut = |answer: &&std::sync::Arc<Exchange>| answer.status() == 504;
    match answers.iter().find(cut) {
        Some(answer) => Err(answer.fail("no 504: there is no timeout", answer.brief())),
        None => Ok(()),
    }
}
