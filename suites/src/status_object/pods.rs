//! Subresources of Pods that are only posted to: a success is told by a Status, and what is refused by another.

use harness::{Context, Exchange, Halt, Suite};

use crate::pods::{self, Guarded};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("status-object-toomanyrequests", an_eviction_beyond_a_budget_is_one_too_many)
        .scenario("status-object-success-of-create-subresource", what_is_posted_to_a_pod_succeeds)
}

async fn an_eviction_beyond_a_budget_is_one_too_many(cx: Context) -> Result<(), Halt> {
    let guarded = Guarded::create(&cx).await?;

    let refused = guarded.evict().await?;

    let status = refused.expect_error(&[429], &["TooManyRequests"])?;
    let named = pods::names_a_budget(&refused);
    refused.expect(named, "a cause of reason DisruptionBudget", status["details"].to_string())
}

async fn what_is_posted_to_a_pod_succeeds(cx: Context) -> Result<(), Halt> {
    let pods = pods::collection(&cx).await?;
    pods::create(&cx, &pods, &pods::idle("a")).await?;

    let bound = cx.send(pods::binding(&pods, "a")).await?;
    let evicted = cx.send(pods::eviction(&pods, "a")).await?;

    expect_success(&bound)?;
    if evicted.status() == 404 {
        cx.note("not asked about evictions: this server has none");
        return Ok(());
    }
    expect_success(&evicted)
}

/// A success may be told by a Status; the Pod itself is not what was created.
fn expect_success(posted: &Exchange) -> Result<(), Halt> {
    posted.expect_status(&[200, 201])?;
    let Some(body) = posted.json() else { return Err(posted.fail("a Status Success", posted.text())) };
    let code = &body["code"];
    let told = body["kind"] == "Status"
        && body["status"] == "Success"
        && (code.is_null() || *code == posted.status());
    let created = ["Binding", "Eviction"].iter().any(|kind| body["kind"] == *kind);
    posted.expect(told || created, "a Status Success, or what was posted", posted.brief())
}
