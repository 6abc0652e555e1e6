//! The syntax of finalizer names.

use super::{FIRST, FOREGROUND, ORPHAN, expect_gone, expect_invalid, finalizers_of};
use crate::prelude::*;

/// A name that is well formed, but does not say whose it is.
const PLAIN: &str = "plainname";

rows![
    deletion_gc_finalizers_mutually_exclusive_422,
    deletion_finalizer_name_syntax_422,
    deletion_builtin_finalizer_needs_domain_422.own_kinds(),
    deletion_cr_finalizer_warning.own_kinds(),
];

async fn deletion_gc_finalizers_mutually_exclusive_422(cx: Context, collection: Collection) -> Checked {
    expect_refused(&cx, &collection, &[ORPHAN, FOREGROUND]).await
}

async fn deletion_finalizer_name_syntax_422(cx: Context, collection: Collection) -> Checked {
    expect_refused(&cx, &collection, &["not a name!"]).await?;
    expect_refused(&cx, &collection, &[FIRST, "kube-assay.dev/not/one"]).await
}

async fn deletion_builtin_finalizer_needs_domain_422(
    cx: Context,
    ConfigMaps(collection): ConfigMaps,
) -> Checked {
    expect_refused(&cx, &collection, &[PLAIN]).await
}

/// An object with these finalizers is not created.
async fn expect_refused(cx: &Context, collection: &Collection, finalizers: &[&str]) -> Checked {
    let refused = cx.send(Request::post(collection.path(), &body(collection, finalizers))).await?;
    let got = collection.get("a").await?;

    expect_invalid(&refused, "metadata.finalizers")?;
    expect_gone(&got)
}

fn body(collection: &Collection, finalizers: &[&str]) -> Value {
    let mut body = collection.body("a", "first");
    body["metadata"]["finalizers"] = json!(finalizers);
    body
}

async fn deletion_cr_finalizer_warning(cx: Context, CustomResources(collection): CustomResources) -> Checked {
    let created = cx.send(Request::post(collection.path(), &body(&collection, &[PLAIN]))).await?;

    let object = created.object()?;
    let kept = finalizers_of(&object);
    created.expect(kept == [PLAIN], format!("the finalizer {PLAIN}"), kept.join(", "))?;
    let headers = created.response.headers.iter().filter(|(name, _)| name == "warning");
    let warnings: Vec<_> = headers.map(|(_, warning)| warning.as_str()).collect();
    let named = warnings.iter().any(|warning| warning.contains("metadata.finalizers"));
    created.expect(named, "a Warning header about metadata.finalizers", format!("{warnings:?}"))
}
