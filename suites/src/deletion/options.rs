//! `DeleteOptions` in the body and in the query.

use super::garbage_collection;
use super::pod::BoundPod;
use super::propagation_policy::{expect_no_waiting, expect_waiting};
use super::{ACCEPTED, FOREGROUND, ORPHAN, expect_alive, expect_gone, with_options};
use crate::prelude::*;
use crate::watch::from_now;

rows![
    deletion_options_body_overrides_query,
    deletion_options_malformed_body_400,
    deletion_options_accepted_group_versions.also("kinds-meta-options-accepted-in-any-group"),
    deletion_options_from_query_without_body.own_kinds(),
];

async fn deletion_options_body_overrides_query(cx: Context, collection: Collection) -> Checked {
    let created = collection.create("a").await?;

    let mut watch = from_now(&collection).await?;

    let delete = with_options(collection.path_of("a"), &json!({})).query("propagationPolicy", "Orphan");
    let deleted = cx.send(delete).await?;

    deleted.expect_status(ACCEPTED)?;
    expect_no_waiting(&mut watch, &created).await?;
    expect_gone(&*collection.get("a").await?)?;
    // The object is there to be deleted: this is no dry run.
    collection.create("b").await?;
    let delete = with_options(collection.path_of("b"), &json!({})).query("dryRun", "All");
    cx.send(delete).await?.expect_status(ACCEPTED)?;
    expect_gone(&*collection.get("b").await?)
}

/// What cannot be read as `DeleteOptions`.
const MALFORMED: &[&str] = &[
    r#"{"kind":"ConfigMap","apiVersion":"v1"}"#,
    "{",
    "[]",
    r#""options""#,
    r#"{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":"soon"}"#,
];

async fn deletion_options_malformed_body_400(cx: Context, collection: Collection) -> Checked {
    let created = collection.create("a").await?;

    for body in MALFORMED {
        let mut delete = Request::delete(collection.path_of("a")).header("content-type", "application/json");
        delete.body = Some((*body).into());
        let refused = cx.send(delete).await?;
        let got = collection.get("a").await?;

        // kube-apiserver 1.33 and earlier say 500, and give no reason.
        refused.expect_refusal(&[400, 500])?;
        expect_alive(&got, &created)?;
        if refused.status() == 500 {
            cx.note("a body that is no DeleteOptions is answered with 500");
        }
    }
    Ok(())
}

async fn deletion_options_accepted_group_versions(cx: Context, collection: Collection) -> Checked {
    let own = collection.resource().api_version();

    for (name, version) in [("a", "v1"), ("b", "meta.k8s.io/v1"), ("c", own.as_str())] {
        collection.create(name).await?;
        let options = json!({ "apiVersion": version });
        let deleted = cx.send(with_options(collection.path_of(name), &options)).await?;
        let got = collection.get(name).await?;

        deleted.expect_status(ACCEPTED)?;
        expect_gone(&got)?;
    }
    Ok(())
}

/// A refusal of the options, not of the object.
pub(super) fn expect_bad_options(refused: &Exchange) -> Checked {
    let status = refused.expect_error(&[422], &["Invalid"])?;
    // Details are optional.
    let kind = status["details"]["kind"].as_str().unwrap_or("DeleteOptions");
    refused.expect(kind == "DeleteOptions", "details.kind DeleteOptions", format!("{kind:?}"))
}

async fn deletion_options_from_query_without_body(
    cx: Context,
    ConfigMaps(collection): ConfigMaps,
) -> Checked {
    let created = collection.create("a").await?;

    let dry = cx.send(Request::delete(collection.path_of("a")).query("dryRun", "All")).await?;
    expect_alive(&*collection.get("a").await?, &created)?;
    dry.expect_status(ACCEPTED)?;
    let mut watch = from_now(&collection).await?;
    for (name, option, value, finalizer) in POLICIES {
        let created = collection.create(name).await?;
        let deleted = cx.send(Request::delete(collection.path_of(name)).query(option, value)).await?;
        deleted.expect_status(ACCEPTED)?;
        let waits = expect_waiting(&mut watch, &created, finalizer).await;
        garbage_collection::expected(&cx, &collection, waits).await?;
    }

    grace_from_the_query(&cx).await
}

/// Objects, each with an option for its deletion and the finalizer that this gives it.
const POLICIES: [(&str, &str, &str, &str); 2] = [
    ("foreground", "propagationPolicy", "Foreground", FOREGROUND),
    ("orphan", "orphanDependents", "true", ORPHAN),
];

/// Only Pods have a grace period; a server without them has none to ask about.
async fn grace_from_the_query(cx: &Context) -> Checked {
    let pod = match BoundPod::create(cx).await {
        Err(Halt::Skipped(why)) => {
            cx.note(format!("not asked about gracePeriodSeconds: {why}"));
            return Ok(());
        }
        created => created?,
    };
    let deleted = pod.delete_within(17).await;
    pod.end(async { pod.expect_grace(&*deleted?, 17).await }).await
}
