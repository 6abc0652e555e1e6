//! Whether the server has a garbage collector: kube-apiserver with `--enable-garbage-collector=false` deletes at once,
//! whatever the policy.

use super::propagation_policy::{delete_by, expect_waiting};
use super::{FOREGROUND, ORPHAN, with_options};
use crate::prelude::*;
use crate::watch::from_now;

/// The result of a check of a garbage collector's finalizers. Skips if it failed and the server sets none of them.
pub(super) async fn expected(cx: &Context, collection: &Collection, found: Checked) -> Checked {
    let Err(failed @ Halt::Failed(_)) = found else { return found };
    required(cx, collection).await?;
    Err(failed)
}

/// Skips where the server deletes at once, whatever the policy.
pub(super) async fn required(cx: &Context, collection: &Collection) -> Checked {
    if knows_a_finalizer(cx, collection).await? {
        return Ok(());
    }
    Err(cx.lacks("GarbageCollector", "the server deletes at once, whatever the policy"))
}

/// Whether a policy, in the query or in the body, adds a finalizer of the garbage collector.
async fn knows_a_finalizer(cx: &Context, collection: &Collection) -> Result<bool, Halt> {
    for (policy, finalizer) in [("Foreground", FOREGROUND), ("Orphan", ORPHAN)] {
        let named = |way: &str| format!("{way}-{}", policy.to_lowercase());
        let (query, body) = (named("query"), named("body"));
        let in_body = with_options(collection.path_of(&body), &json!({ "propagationPolicy": policy }));
        for (name, delete) in [(&query, delete_by(collection, &query, policy)), (&body, in_body)] {
            if waits(cx, collection, (name, delete), finalizer).await? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

async fn waits(
    cx: &Context,
    collection: &Collection,
    (name, delete): (&str, Request),
    finalizer: &str,
) -> Result<bool, Halt> {
    let probe = collection.create(name).await?;
    let mut watch = from_now(collection).await?;
    cx.send(delete).await?.written()?;
    match expect_waiting(&mut watch, &probe, finalizer).await {
        Ok(()) => Ok(true),
        Err(Halt::Failed(_)) => Ok(false),
        Err(other) => Err(other),
    }
}
