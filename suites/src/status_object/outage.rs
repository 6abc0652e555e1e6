//! The reason `ServerTimeout`, while the operator's hook breaks the store.

use super::details::expect_named;
use super::limits::expect_retry_after;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(DURING_AN_OUTAGE, Kinds::Own, during_an_outage).into_iter().map(Row::alone).collect()
}

#[rustfmt::skip]
const DURING_AN_OUTAGE: &[(&str, Check)] = &[
    ("status-object-servertimeout",              has_a_timeout_reason),
    ("status-object-servertimeout-details-kind", names_the_resource),
    ("status-object-servertimeout-details-name", names_the_operation),
    ("status-object-servertimeout-retry-after",  |_, response| expect_retry_after(response)),
];

/// A check of the response to the write.
type Check = fn(&Collection, &Exchange) -> Checked;

/// The timeout of the write: shorter than the default of the server.
const TIMEOUT: &str = "3s";

/// Writes while the store is broken, and repairs it in any case.
async fn during_an_outage(cx: Context, check: Check) -> Checked {
    // Do not break a store that cannot be repaired: this hook must exist and succeed first.
    cx.run_hook("mend-store").await?;
    let stored = StoredObject::create(&cx).await?;
    let write = stored.patch(MERGE, &stored.collection.change("second")).query("timeout", TIMEOUT);

    cx.run_hook("break-store").await?;
    let response = cx.send(write).await;
    let repaired = cx.run_hook("mend-store").await;
    let recovered = recovery(&cx, &stored).await;

    let checked = response.and_then(|response: Arc<Exchange>| {
        Halt::skip_unless(!response.succeeded(), "a write succeeded although the store was broken")?;
        check(&stored.collection, response.judged())
    });
    checked.and(repaired).and(recovered)
}

/// Waits until the server serves again.
async fn recovery(cx: &Context, stored: &StoredObject) -> Checked {
    let serves = || async { Ok(stored.get().await?.succeeded().then_some(())) };
    let why = "the server still does not serve objects";
    cx.eventually(serves).await?.ok_or_else(|| cx.test_error("wait until the server recovers", why).into())
}

/// The text documents 504 and `ServerTimeout`; kube-apiserver returns 504 and Timeout, its own constructor 500.
fn has_a_timeout_reason(_: &Collection, response: &Exchange) -> Checked {
    let reason = response.json().and_then(|status| status["reason"].as_str()).unwrap_or_default();
    let legal = match reason {
        "ServerTimeout" => matches!(response.status(), 500 | 504),
        "Timeout" => response.status() == 504,
        _ => false,
    };
    response.expect(legal, "500 or 504 ServerTimeout, or 504 Timeout", response.brief())
}

fn names_the_resource(collection: &Collection, response: &Exchange) -> Checked {
    let resource = collection.resource();
    expect_named(response, "kind", &[&resource.plural, &resource.kind])
}

fn names_the_operation(_: &Collection, response: &Exchange) -> Checked {
    expect_named(response, "name", &["patch", "update", "get"])
}
