//! Whether a server leaves deletions to a garbage collector: kube-apiserver with `--enable-garbage-collector=false` deletes
//! at once, whatever the policy.

use super::propagation_policy::{delete_by, expect_waiting};
use super::{FOREGROUND, ORPHAN, with_options};
use crate::prelude::*;
use crate::watch::from_now;

/// What was expected of the finalizers of a garbage collector. Skips where it failed and the server knows none of them.
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
    Err(cx.lacks("GarbageCollector", "whatever the policy, an object is deleted at once"))
}

/// Whether an object waits for a garbage collector with one of the policies, in the query or in the body.
async fn knows_a_finalizer(cx: &Context, collection: &Collection) -> Result<bool, Halt> {
    for (policy, finalizer) in [("Foreground", FOREGROUND), ("Orphan", ORPHAN)] {
        let named = |way: &str| format!("{way}-{}", policy.to_lowercase());
        let (query, body) = (named("query"), named("body"));
        let told = with_options(collection.path_of(&body), &json!({ "propagationPolicy": policy }));
        for (name, delete) in [(&query, delete_by(collection, &query, policy)), (&body, told)] {
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
