//! The reason `ServerTimeout`, while the operator's hook breaks the store.

use super::details::expect_named;
use super::limits::expect_one_wait;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(DURING_AN_OUTAGE, Kinds::Own, during_an_outage).into_iter().map(Row::alone).collect()
}

#[rustfmt::skip]
const DURING_AN_OUTAGE: &[(&str, Look)] = &[
    ("status-object-servertimeout",              says_that_it_takes_too_long),
    ("status-object-servertimeout-details-kind", names_the_resource),
    ("status-object-servertimeout-details-name", names_what_was_attempted),
    ("status-object-servertimeout-retry-after",  says_when_to_come_again),
];

/// What is looked at in the answer.
type Look = fn(&Collection, &Exchange) -> Checked;

/// How long the write may take, so that nobody waits for the server's own limit.
const WITHIN: &str = "3s";

/// Writes while the store is broken, and mends it whatever comes.
async fn during_an_outage(cx: Context, look: Look) -> Checked {
    // Nothing is broken that could not be mended: this hook must be there, and must work.
    cx.run_hook("mend-store").await?;
    let stored = StoredObject::create(&cx).await?;
    let write =
        Request::merge_patch(stored.path(), &stored.collection.change("second")).query("timeout", WITHIN);

    cx.run_hook("break-store").await?;
    let answer = cx.send(write).await;
    let mended = cx.run_hook("mend-store").await;
    let recovered = recovery(&cx, &stored).await;

    let looked = answer.and_then(|answer: Arc<Exchange>| {
        if answer.succeeded() {
            return Err(Halt::Skipped("the server could write although its store was broken".to_owned()));
        }
        look(&stored.collection, &answer)
    });
    looked.and(mended).and(recovered)
}

/// Waits until the server serves again.
async fn recovery(cx: &Context, stored: &StoredObject) -> Checked {
    let serves = || async { Ok(stored.get().await?.succeeded().then_some(())) };
    let why = "objects are still not served";
    cx.eventually(serves).await?.ok_or_else(|| cx.test_error("see the server recover", why).into())
}

/// The text says 504 and `ServerTimeout`; kube-apiserver says 504 and Timeout, its own constructor 500.
fn says_that_it_takes_too_long(_: &Collection, answer: &Exchange) -> Checked {
    let reason = answer.json().and_then(|status| status["reason"].as_str()).unwrap_or_default();
    let said = match reason {
        "ServerTimeout" => matches!(answer.status(), 500 | 504),
        "Timeout" => answer.status() == 504,
        _ => false,
    };
    answer.expect(said, "500 or 504 ServerTimeout, or 504 Timeout", answer.brief())
}

fn names_the_resource(collection: &Collection, answer: &Exchange) -> Checked {
    let resource = collection.resource();
    expect_named(answer, "kind", &[&resource.plural, &resource.kind])
}

fn names_what_was_attempted(_: &Collection, answer: &Exchange) -> Checked {
    expect_named(answer, "name", &["patch", "update", "get"])
}

fn says_when_to_come_again(_: &Collection, answer: &Exchange) -> Checked {
    expect_one_wait(answer)
}
