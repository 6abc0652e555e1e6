//! The Status of Pod subresources.

use crate::pods::{self, GuardedPod};
use crate::prelude::*;

rows![status_object_toomanyrequests.own_kinds(), status_object_success_of_create_subresource.own_kinds()];

async fn status_object_toomanyrequests(guarded: GuardedPod) -> Checked {
    let refused = guarded.evict().await?;

    let status = refused.expect_error(&[429], &["TooManyRequests"])?;
    let named = pods::names_a_budget(&refused);
    refused.expect(named, "a cause of reason DisruptionBudget", status["details"].to_string())
}

async fn status_object_success_of_create_subresource(cx: Context) -> Checked {
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
fn expect_success(posted: &Exchange) -> Checked {
    posted.expect_status(&[200, 201])?;
    let Some(body) = posted.json() else { return Err(posted.fail("a Status Success", posted.text())) };
    let code = &body["code"];
    let told = body["kind"] == "Status"
        && body["status"] == "Success"
        && (code.is_null() || *code == posted.status());
    let created = ["Binding", "Eviction"].iter().any(|kind| body["kind"] == *kind);
    posted.expect(told || created, "a Status Success, or what was posted", posted.brief())
}
