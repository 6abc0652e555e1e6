//! What holds of every answer about a resource.

use harness::ambient::{Ruling, kept};
use harness::{Context, Exchange, Halt, Suite};

use crate::mistakes;
use crate::refusal::of_resource;

/// Adds the rule, and a scenario that provokes refusals of every kind.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-codes-within-documented-set", every_answer_has_a_documented_code)
        .on_every_shape()
        .ambient("status-codes-within-documented-set", is_documented)
        .scenario("status-codes-500-internal", no_mistake_of_a_client_is_an_error_of_the_server)
        .on_every_shape()
        .scenario("status-codes-504-only-with-timeout", nothing_is_cut_short_that_has_no_timeout)
        .on_every_shape()
}

/// The codes that the reference documents, for whatever is asked.
const DOCUMENTED: &[u16] = &[
    101, 200, 201, 202, 204, 307, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 429, 500, 503, 504,
];

/// Codes that say nothing of the resource: of caches, paths that are tidied up, connections, and what lies in front of a server.
const OF_HTTP: &[u16] = &[301, 302, 304, 308, 408, 414, 421, 426, 431, 502, 505];

fn is_documented(exchange: &Exchange) -> Ruling {
    let status = exchange.status();
    (of_resource(exchange) && !OF_HTTP.contains(&status))
        .then(|| kept(DOCUMENTED.contains(&status), "a documented status", || exchange.brief()))
}

async fn every_answer_has_a_documented_code(cx: Context) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    for mistake in mistakes::all(&stored) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_kept(is_documented(&refused), "a documented status")?;
    }
    Ok(())
}

/// Not among them: versions that are none, and what is too large for the store. kube-apiserver takes those for its own.
async fn no_mistake_of_a_client_is_an_error_of_the_server(cx: Context) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    for mistake in mistakes::all(&stored) {
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

async fn nothing_is_cut_short_that_has_no_timeout(cx: Context) -> Result<(), Halt> {
    let stored = mistakes::outdated(&cx).await?;

    let answers = [
        stored.get().await?,
        stored.things.list().await?,
        stored.put(&stored.again().await?.body("third")).await?,
        cx.send(stored.patch("application/merge-patch+json", &stored.things.change("fourth"))).await?,
        cx.send(harness::Request::delete(stored.path())).await?,
    ];

    let cut = |answer: &&std::sync::Arc<Exchange>| answer.status() == 504;
    match answers.iter().find(cut) {
        Some(answer) => Err(answer.fail("no 504: there is no timeout", answer.brief())),
        None => Ok(()),
    }
}
