//! `DeleteOptions` in the body and in the query.

use super::garbage_collection;
use super::pod::BoundPod;
use super::propagation_policy::{expect_no_waiting, expect_waiting};
use super::{ACCEPTED, FOREGROUND, ORPHAN, expect_alive, expect_gone, with_options};
use crate::patch_types::raw;
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
    // The body replaces the query, so that this is no dry run.
    collection.create("b").await?;
    let delete = with_options(collection.path_of("b"), &json!({})).query("dryRun", "All");
    cx.send(delete).await?.expect_status(ACCEPTED)?;
    expect_gone(&*collection.get("b").await?)
}

/// Bodies that are no `DeleteOptions`.
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
        let delete = raw(Request::delete(collection.path_of("a")), "application/json", body);
        let refused = cx.send(delete).await?;
        let got = collection.get("a").await?;

        // kube-apiserver up to 1.33 returns 500, without a reason.
        refused.expect_rejection(&[400, 500])?;
        expect_alive(&got, &created)?;
        if refused.status() == 500 {
            cx.note("the server returns 500 for a body that is no DeleteOptions");
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

/// 422 Invalid, for the options.
pub(super) fn expect_bad_options(refused: &Exchange) -> Checked {
    let status = refused.expect_error(&[422], &["Invalid"])?;
    // Details are optional.
    let kind = status["details"]["kind"].as_str().unwrap_or("DeleteOptions");
    refused.expect(kind == "DeleteOptions", "details.kind DeleteOptions", format!("{kind:?}"))
}

async fn deletion_options_from_query_without_body(cx: Context, collection: ConfigMaps) -> Checked {
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

/// Objects, each with an option for its deletion and the finalizer that the option adds.
const POLICIES: [(&str, &str, &str, &str); 2] = [
    ("foreground", "propagationPolicy", "Foreground", FOREGROUND),
    ("orphan", "orphanDependents", "true", ORPHAN),
];

/// Only Pods have a grace period.
async fn grace_from_the_query(cx: &Context) -> Checked {
    let pod = match BoundPod::create(cx).await {
        Err(Halt::Skipped(why)) => {
            cx.note(format!("gracePeriodSeconds not tested: {why}"));
            return Ok(());
        }
        created => created?,
    };
    let deleted = pod.delete_within(17).await;
    pod.end(async { pod.expect_grace(&*deleted?, 17).await }).await
}
