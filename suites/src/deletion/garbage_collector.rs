//! The garbage collector: dependents of deleted owners.
//!
//! Not every server has one. Where objects wait for one, it shows itself by letting an object go that was deleted with
//! Orphan and has nothing to orphan: who waits for that in vain learns nothing, and says so.

use super::garbage_collection;
use super::propagation_policy::{create_dependent, delete_by};
use super::{FIRST, expect_marked, expect_there, is_marked, with_finalizers};
use crate::prelude::*;

rows![
    deletion_foreground_waits_for_dependents.own_kinds(),
    deletion_orphan_releases_dependents.own_kinds(),
    deletion_background_collects_dependents.own_kinds(),
];

/// How many times the event timeout the work of a controller may take.
const AT_WORK: u32 = 3;

/// Config maps of ours, if somebody collects garbage here.
async fn collected(cx: &Context) -> Result<Collection, Halt> {
    let collection = cx.configmaps().await?;
    garbage_collection::required(cx, &collection).await?;
    collection.create("probe").await?;
    cx.send(delete_by(&collection, "probe", "Orphan")).await?.written()?;
    if cx.aside(cx.eventually(|| is_gone(&collection, "probe"))).await?.is_some() {
        return Ok(collection);
    }
    Err(cx.lacks("GarbageCollector", "an object that was deleted with propagationPolicy=Orphan stays"))
}

async fn is_gone(collection: &Collection, name: &str) -> Result<Option<()>, Halt> {
    Ok((collection.get(name).await?.status() == 404).then_some(()))
}

/// Waits until an object is gone; that it never goes breaks the clause.
async fn expect_to_go(cx: &Context, collection: &Collection, name: &str) -> Checked {
    let gone =
        cx.aside(cx.poll(cx.soon() + AT_WORK * cx.event_timeout(), || is_gone(collection, name))).await?;
    match gone {
        Some(()) => Ok(()),
        None => Err(collection.get(name).await?.fail(format!("{name} to be removed in the end"), "it stays")),
    }
}

async fn deletion_foreground_waits_for_dependents(cx: Context) -> Checked {
    let collection = collected(&cx).await?;
    let owner = collection.create("owner").await?;
    create_dependent(&collection, "dependent", &owner, &[FIRST]).await?;
    cx.send(delete_by(&collection, "owner", "Foreground")).await?.written()?;
    wait_until_marked(&cx, &collection, "dependent").await?;
    a_dependent_goes_with_its_owner(&cx, &collection).await?;

    let got = collection.get("owner").await?;
    collection.patch("dependent", &with_finalizers(&[])).await?;

    expect_marked(&got, &owner)?;
    expect_to_go(&cx, &collection, "dependent").await?;
    expect_to_go(&cx, &collection, "owner").await
}

/// Waits until the garbage collector has turned to an object. Where it has let the owner go before, there is no need.
async fn wait_until_marked(cx: &Context, collection: &Collection, name: &str) -> Checked {
    let turned = cx.poll(cx.soon() + AT_WORK * cx.event_timeout(), || async {
        let marked = is_marked(&collection.get(name).await?.written()?);
        Ok((marked || is_gone(collection, "owner").await?.is_some()).then_some(()))
    });
    let why = "the garbage collector has not begun to delete what belongs to a deleted object";
    cx.aside(turned).await?.ok_or_else(|| cx.test_error(format!("see {name} deleted"), why).into())
}

async fn deletion_orphan_releases_dependents(cx: Context) -> Checked {
    let collection = collected(&cx).await?;
    let owner = collection.create("owner").await?;
    let orphan = create_dependent(&collection, "orphan", &owner, &[]).await?;
    cx.send(delete_by(&collection, "owner", "Orphan")).await?.written()?;
    expect_to_go(&cx, &collection, "owner").await?;
    a_dependent_goes_with_its_owner(&cx, &collection).await?;

    let got = collection.get("orphan").await?;

    let object = expect_there(&got, &orphan)?;
    let owners = object.json()["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
    let owned = owners.iter().any(|known| known["uid"] == owner.metadata("uid"));
    got.expect(!owned, "no reference to the owner that is gone", format!("{owners:?}"))
}

/// What the garbage collector began before, it has done when it has done this.
async fn a_dependent_goes_with_its_owner(cx: &Context, collection: &Collection) -> Checked {
    let owner = collection.create("last-owner").await?;
    create_dependent(collection, "last-dependent", &owner, &[]).await?;
    cx.send(delete_by(collection, "last-owner", "Background")).await?.written()?;
    let gone = cx
        .aside(cx.poll(cx.soon() + AT_WORK * cx.event_timeout(), || is_gone(collection, "last-dependent")))
        .await?;
    let why = "the garbage collector has not removed it in time";
    gone.ok_or_else(|| cx.test_error("see an object go with its owner", why).into())
}

async fn deletion_background_collects_dependents(cx: Context) -> Checked {
    let collection = collected(&cx).await?;
    let owner = collection.create("owner").await?;
    create_dependent(&collection, "dependent", &owner, &[]).await?;

    cx.send(delete_by(&collection, "owner", "Background")).await?.written()?;

    expect_to_go(&cx, &collection, "dependent").await
}
