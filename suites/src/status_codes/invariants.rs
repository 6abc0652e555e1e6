//! Invariant checks of every status code.

use harness::invariant;
use harness::invariant::{CheckResult, ensure};

use crate::error_response::of_resource;
use crate::invalid_requests;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(status_codes_within_documented_set),
        invariant("status-codes-within-documented-set", is_documented),
        row!(status_codes_500_internal),
        row!(status_codes_504_only_with_timeout),
    ]
}

/// The codes that the API reference documents.
const DOCUMENTED: &[u16] = &[
    101, 200, 201, 202, 204, 307, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 429, 500, 503, 504,
];

/// Codes of HTTP itself: of caches, redirects, connections and proxies.
const OF_HTTP: &[u16] = &[301, 302, 304, 308, 408, 414, 421, 426, 431, 502, 505];

fn is_documented(exchange: &Exchange) -> CheckResult {
    let status = exchange.status();
    (of_resource(exchange) && !OF_HTTP.contains(&status))
        .then(|| ensure(DOCUMENTED.contains(&status), "a documented status", || exchange.brief()))
}

async fn status_codes_within_documented_set(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    for invalid in invalid_requests::all(&stored) {
        let response = cx.send(invalid.request).await?;

        response.expect_passed(is_documented(&response), "a documented status")?;
    }
    Ok(())
}

/// Without malformed resourceVersions and objects that exceed the limit of the store: kube-apiserver returns 500.
async fn status_codes_500_internal(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    for invalid in invalid_requests::all(&stored) {
        let response = cx.send(invalid.request).await?;

        let legal = (400..500).contains(&response.status());
        response.expect(legal, "HTTP 4xx: the request is invalid", response.brief())?;
    }
    Ok(())
}

async fn status_codes_504_only_with_timeout(cx: Context, Outdated(stored, _): Outdated) -> Checked {
    let responses = [
        stored.get().await?,
        stored.collection.list().await?,
        stored.put(&stored.again().await?.body("third")).await?,
        cx.send(stored.patch(MERGE, &stored.collection.change("fourth"))).await?,
        cx.send(Request::delete(stored.path())).await?,
    ];

    responses.iter().try_for_each(|response| {
        response.expect(!response.has_code(&[504]), "no 504: the request has no timeout", response.brief())
    })
}
