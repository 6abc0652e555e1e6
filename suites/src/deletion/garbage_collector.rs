//! The garbage collector: dependents of deleted owners.
//!
//! A garbage collector is optional. It is running if it removes an object that was deleted with Orphan and has no
//! dependents; else the scenarios skip.

use super::garbage_collection;
use super::propagation_policy::{create_dependent, delete_by};
use super::{FIRST, expect_terminating, expect_there, is_terminating};
use crate::finalizers;
use crate::prelude::*;

rows![
    deletion_foreground_waits_for_dependents.own_kinds().waits(),
    deletion_orphan_releases_dependents.own_kinds().waits(),
    deletion_background_collects_dependents.own_kinds().waits(),
];

/// The time for the work of a controller, in event timeouts.
const PATIENCE: u32 = 3;

/// The scenario's `ConfigMaps`. Skips where no garbage collector runs.
async fn collected(cx: &Context) -> Result<Collection, Halt> {
    let collection = cx.configmaps().await?;
    garbage_collection::required(cx, &collection).await?;
    collection.create("probe").await?;
    cx.send(delete_by(&collection, "probe", "Orphan")).await?.written()?;
    if cx.yield_place_while(cx.eventually(|| is_gone(&collection, "probe"))).await?.is_some() {
        return Ok(collection);
    }
    Err(cx.lacks("GarbageCollector", "an object deleted with propagationPolicy=Orphan stays"))
}

/// Waits for a condition as long as a controller may work; `None` if it does not hold by then.
async fn wait_for<F>(cx: &Context, condition: impl FnMut() -> F) -> Result<Option<()>, Halt>
where
    F: Future<Output = Result<Option<()>, Halt>>,
{
    cx.yield_place_while(cx.poll(cx.soon() + PATIENCE * cx.event_timeout(), condition)).await
}

async fn is_gone(collection: &Collection, name: &str) -> Result<Option<()>, Halt> {
    Ok((collection.get(name).await?.status() == 404).then_some(()))
}

/// The object is removed in time.
async fn expect_removal(cx: &Context, collection: &Collection, name: &str) -> Checked {
    match wait_for(cx, || is_gone(collection, name)).await? {
        Some(()) => Ok(()),
        None => Err(collection.get(name).await?.fail(format!("the removal of {name}"), "the object stays")),
    }
}

async fn deletion_foreground_waits_for_dependents(cx: Context) -> Checked {
    let collection = collected(&cx).await?;
    let owner = collection.create("owner").await?;
    create_dependent(&collection, "dependent", &owner, &[FIRST]).await?;
    cx.send(delete_by(&collection, "owner", "Foreground")).await?.written()?;
    wait_until_terminating(&cx, &collection, "dependent").await?;
    wait_for_garbage_collection(&cx, &collection).await?;

    let got = collection.get("owner").await?;
    collection.patch("dependent", &finalizers::set(&[])).await?;

    expect_terminating(&got, &owner)?;
    expect_removal(&cx, &collection, "dependent").await?;
    expect_removal(&cx, &collection, "owner").await
}

/// Waits until the garbage collector deletes an object, or has removed its owner before.
async fn wait_until_terminating(cx: &Context, collection: &Collection, name: &str) -> Checked {
    let deleted = wait_for(cx, || async {
        let terminating = is_terminating(&collection.get(name).await?.written()?);
        Ok((terminating || is_gone(collection, "owner").await?.is_some()).then_some(()))
    });
    let cause = "the garbage collector has not deleted the dependent of a deleted owner";
    deleted.await?.ok_or_else(|| cx.test_error(format!("wait for the deletion of {name}"), cause).into())
}

async fn deletion_orphan_releases_dependents(cx: Context) -> Checked {
    let collection = collected(&cx).await?;
    let owner = collection.create("owner").await?;
    let orphan = create_dependent(&collection, "orphan", &owner, &[]).await?;
    cx.send(delete_by(&collection, "owner", "Orphan")).await?.written()?;
    expect_removal(&cx, &collection, "owner").await?;
    wait_for_garbage_collection(&cx, &collection).await?;

    let got = collection.get("orphan").await?;

    let object = expect_there(&got, &orphan)?;
    let owners = object.json()["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
    let owned = owners.iter().any(|known| known["uid"] == owner.metadata("uid"));
    got.expect(!owned, "no reference to the deleted owner", format!("{owners:?}"))
}

/// Waits until the garbage collector has removed a new dependent, and so has done all earlier work.
async fn wait_for_garbage_collection(cx: &Context, collection: &Collection) -> Checked {
    let owner = collection.create("last-owner").await?;
    create_dependent(collection, "last-dependent", &owner, &[]).await?;
    cx.send(delete_by(collection, "last-owner", "Background")).await?.written()?;
    let gone = wait_for(cx, || is_gone(collection, "last-dependent")).await?;
    let cause = "the garbage collector has not removed it in time";
    gone.ok_or_else(|| cx.late("wait for the removal of a dependent", cause).into())
}

async fn deletion_background_collects_dependents(cx: Context) -> Checked {
    let collection = collected(&cx).await?;
    let owner = collection.create("owner").await?;
    create_dependent(&collection, "dependent", &owner, &[]).await?;

    cx.send(delete_by(&collection, "owner", "Background")).await?.written()?;

    expect_removal(&cx, &collection, "dependent").await
}
