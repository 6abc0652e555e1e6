//! Which finalizers an object may have.

use harness::{Collection, Context, Halt, Request, Suite};
use serde_json::{Value, json};

use super::{FIRST, FOREGROUND, ORPHAN, expect_gone, expect_invalid, finalizers_of};

/// A name that is well formed, but does not say whose it is.
const PLAIN: &str = "plainname";

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("deletion-gc-finalizers-mutually-exclusive-422", nobody_waits_in_two_ways)
        .on_every_shape()
        .scenario("deletion-finalizer-name-syntax-422", a_finalizer_is_a_qualified_name)
        .on_every_shape()
}

/// Adds the scenarios that are about one type.
pub(super) fn add_to_types(suite: Suite) -> Suite {
    suite
        .scenario("deletion-builtin-finalizer-needs-domain-422", built_in_types_want_a_domain)
        .scenario("deletion-cr-finalizer-warning", custom_resources_warn_without_a_domain)
}

async fn nobody_waits_in_two_ways(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    expect_refused(&cx, &things, &[ORPHAN, FOREGROUND]).await
}

async fn a_finalizer_is_a_qualified_name(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    expect_refused(&cx, &things, &["not a name!"]).await?;
    expect_refused(&cx, &things, &[FIRST, "kube-assay.dev/not/one"]).await
}

async fn built_in_types_want_a_domain(cx: Context) -> Result<(), Halt> {
    let things = cx.configmaps().await?;

    expect_refused(&cx, &things, &[PLAIN]).await
}

/// An object with these finalizers is not created.
async fn expect_refused(cx: &Context, things: &Collection, finalizers: &[&str]) -> Result<(), Halt> {
    let refused = cx.send(Request::post(things.path(), &body(things, finalizers))).await?;
    let got = things.get("a").await?;

    expect_invalid(&refused, "metadata.finalizers")?;
    expect_gone(&got)
}

fn body(things: &Collection, finalizers: &[&str]) -> Value {
    let mut body = things.body("a", "first");
    body["metadata"]["finalizers"] = json!(finalizers);
    body
}

async fn custom_resources_warn_without_a_domain(cx: Context) -> Result<(), Halt> {
    let things = cx.custom_resources().await?;

    let created = cx.send(Request::post(things.path(), &body(&things, &[PLAIN]))).await?;

    let object = created.object()?;
    let kept = finalizers_of(&object);
    created.expect(kept == [PLAIN], format!("the finalizer {PLAIN}"), kept.join(", "))?;
    let headers = created.response.headers.iter().filter(|(name, _)| name == "warning");
    let warnings: Vec<_> = headers.map(|(_, warning)| warning.as_str()).collect();
    let named = warnings.iter().any(|warning| warning.contains("metadata.finalizers"));
    created.expect(named, "a Warning header about metadata.finalizers", format!("{warnings:?}"))
}
