//! The Status of Pod subresources.

use crate::pods::{self, GuardedPod};
use crate::prelude::*;

rows![status_object_toomanyrequests.own_kinds(), status_object_success_of_create_subresource.own_kinds()];

async fn status_object_toomanyrequests(guarded: GuardedPod) -> Checked {
    let response = guarded.evict().await?;

    let status = response.expect_error(&[429], &["TooManyRequests"])?;
    let named = pods::names_a_budget(&response);
    response.expect(named, "a cause of reason DisruptionBudget", status["details"].to_string())
}

async fn status_object_success_of_create_subresource(cx: Context) -> Checked {
    let pods = pods::collection(&cx).await?;
    pods::create(&cx, &pods, &pods::idle("a")).await?;

    let bound = cx.send(pods::binding(&pods, "a")).await?;
    let evicted = cx.send(pods::eviction(&pods, "a")).await?;

    expect_success(&bound)?;
    if evicted.status() == 404 {
        cx.note("evictions not tested: the server does not serve them");
        return Ok(());
    }
    expect_success(&evicted)
}

/// A Status Success, or the created Binding or Eviction.
fn expect_success(response: &Exchange) -> Checked {
    response.expect_status(&[200, 201])?;
    let Some(body) = response.json() else { return Err(response.fail("a Status Success", response.text())) };
    let code = &body["code"];
    let same_code = code.is_null() || *code == response.status();
    let success = body["kind"] == "Status" && body["status"] == "Success" && same_code;
    let created = ["Binding", "Eviction"].iter().any(|kind| body["kind"] == *kind);
    response.expect(success || created, "a Status Success, or the created object", response.brief())
}
