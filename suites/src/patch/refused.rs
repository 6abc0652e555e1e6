//! JSON patches that are not carried out: nothing of them is.

use std::iter::repeat_n;
use std::sync::Arc;

use harness::{Collection, Context, Exchange, Halt, Suite};
use serde_json::json;

use crate::finalizers::{HOLD, and_release};
use crate::forms::{self, JSON};
use crate::texts;
use crate::unchanged::{expect_rejected, expect_unchanged};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("patch-json-test-failure-rejected", a_test_that_fails_fails_the_patch)
        .also("verbs-json-patch-test-failure")
        .on_every_shape()
        .scenario("patch-json-test-failure-atomic", a_test_that_fails_undoes_what_stands_before_it)
        .on_every_shape()
        .scenario("patch-json-missing-path-422", what_needs_something_that_is_not_there_is_refused)
        .on_every_shape()
        .scenario("patch-json-malformed-400", what_is_no_json_patch_is_refused)
        .also("verbs-json-patch-malformed")
        .on_every_shape()
        .scenario("patch-json-too-many-ops-413", a_very_long_patch_does_no_harm)
        .on_every_shape()
}

/// The second operation fails.
const FAILING: &str =
    r#"[{"op":"replace","path":"@/a","value":"2"},{"op":"test","path":"@/k","value":"wrong"}]"#;

async fn a_test_that_fails_fails_the_patch(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v"), ("a", "1")]).await?;

    let refused = send(&cx, &things, FAILING).await?;

    expect_rejected(&refused)
}

async fn a_test_that_fails_undoes_what_stands_before_it(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v"), ("a", "1")]).await?;
    let before = things.get("a").object().await?;

    send(&cx, &things, FAILING).await?;

    expect_unchanged(&things, "a", &before).await
}

/// Operations that are impossible on an object of two texts and one finalizer.
///
/// Not among them: to replace or copy what is missing, and a negative index. kube-apiserver takes them, against the RFC.
const IMPOSSIBLE: &[&str] = &[
    r#"[{"op":"remove","path":"@/missing"}]"#,
    r#"[{"op":"test","path":"@/missing","value":"x"}]"#,
    r#"[{"op":"move","from":"@/missing","path":"@/moved"}]"#,
    r#"[{"op":"add","path":"/metadata/nowhere/x","value":"1"}]"#,
    r#"[{"op":"remove","path":"/metadata/finalizers/7"}]"#,
];

async fn what_needs_something_that_is_not_there_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = texts::body(&things, "a", &[("k", "v"), ("a", "1")]);
    body["metadata"]["finalizers"] = json!([HOLD]);
    things.create_body(&body).await?;
    let before = things.get("a").object().await?;

    and_release(&things, async {
        for operations in IMPOSSIBLE {
            let refused = send(&cx, &things, operations).await?;
            refused.expect_refusal(&[422])?;
        }
        expect_unchanged(&things, "a", &before).await
    })
    .await
}

/// No lists of operations. Nothing at all is among them.
const NO_LISTS: &[&str] = &["{", "{}", "\"x\"", "[1]", ""];

/// Lists of what is no operation.
///
/// Not among them: null and the empty list, paths without a slash at the beginning, and additions without a value.
const NO_OPERATIONS: &[&str] =
    &[r#"[{"op":"bogus","path":"@/k"}]"#, r#"[{"path":"@/k","value":"w"}]"#, r#"[{"op":"add","value":"w"}]"#];

async fn what_is_no_json_patch_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;

    for body in NO_LISTS {
        send(&cx, &things, body).await?.expect_refusal(&[400])?;
    }
    for body in NO_OPERATIONS {
        send(&cx, &things, body).await?.expect_refusal(&[400, 422])?;
    }
    expect_unchanged(&things, "a", &before).await
}

/// One more than kube-apiserver takes.
const VERY_MANY: usize = 10_001;

async fn a_very_long_patch_does_no_harm(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;
    let test = r#"{"op":"test","path":"@/k","value":"v"}"#;
    let tests = repeat_n(test, VERY_MANY).collect::<Vec<_>>().join(",");

    let answer = send(&cx, &things, &format!("[{tests}]")).await?;

    answer.expect_status(&[200, 413])?;
    expect_unchanged(&things, "a", &before).await
}

/// Sends a JSON patch as it stands, `@` being where texts are.
async fn send(cx: &Context, things: &Collection, body: &str) -> Result<Arc<Exchange>, Halt> {
    cx.send(forms::raw_patch(things, "a", JSON, &texts::operations(things, body))).await
}
