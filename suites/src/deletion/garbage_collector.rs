//! The garbage collector: dependents of deleted owners.
//!
//! Not every server has one. Where objects wait for one, it shows itself by letting an object go that was deleted with
//! Orphan and has nothing to orphan: who waits for that in vain learns nothing, and says so.

use harness::{Checked, Collection, Context, Halt};

use super::garbage_collection;
use super::propagation_policy::{create_dependent, delete_by};
use super::{FIRST, expect_marked, expect_there, is_marked, with_finalizers};

rows![
    deletion_foreground_waits_for_dependents.own_kinds(),
    deletion_orphan_releases_dependents.own_kinds(),
    deletion_background_collects_dependents.own_kinds(),
];

/// How many times the event timeout the work of a controller may take.
const AT_WORK: u32 = 3;

/// Config maps of ours, if somebody collects garbage here.
async fn collected(cx: &Context) -> Result<Collection, Halt> {
    let things = cx.configmaps().await?;
    garbage_collection::required(cx, &things).await?;
    things.create("probe").await?;
    cx.send(delete_by(&things, "probe", "Orphan")).await?.written()?;
    if cx.aside(cx.eventually(|| is_gone(&things, "probe"))).await?.is_some() {
        return Ok(things);
    }
    Err(cx.lacks("GarbageCollector", "an object that was deleted with propagationPolicy=Orphan stays"))
}

async fn is_gone(things: &Collection, name: &str) -> Result<Option<()>, Halt> {
    Ok((things.get(name).await?.status() == 404).then_some(()))
}

/// Waits until an object is gone; that it never goes breaks the clause.
async fn expect_to_go(cx: &Context, things: &Collection, name: &str) -> Checked {
    let gone = cx.aside(cx.poll(cx.soon() + AT_WORK * cx.event_timeout(), || is_gone(things, name))).await?;
    match gone {
        Some(()) => Ok(()),
        None => Err(things.get(name).await?.fail(format!("{name} to be removed in the end"), "it stays")),
    }
}

async fn deletion_foreground_waits_for_dependents(cx: Context) -> Checked {
    let things = collected(&cx).await?;
    let owner = things.create("owner").await?;
    create_dependent(&things, "dependent", &owner, &[FIRST]).await?;
    cx.send(delete_by(&things, "owner", "Foreground")).await?.written()?;
    wait_until_marked(&cx, &things, "dependent").await?;
    a_dependent_goes_with_its_owner(&cx, &things).await?;

    let got = things.get("owner").await?;
    things.patch("dependent", &with_finalizers(&[])).await?;

    expect_marked(&got, &owner)?;
    expect_to_go(&cx, &things, "dependent").await?;
    expect_to_go(&cx, &things, "owner").await
}

/// Waits until the garbage collector has turned to an object. Where it has let the owner go before, there is no need.
async fn wait_until_marked(cx: &Context, things: &Collection, name: &str) -> Checked {
    let turned = cx.poll(cx.soon() + AT_WORK * cx.event_timeout(), || async {
        let marked = is_marked(&things.get(name).await?.written()?);
        Ok((marked || is_gone(things, "owner").await?.is_some()).then_some(()))
    });
    let why = "the garbage collector has not begun to delete what belongs to a deleted object";
    cx.aside(turned).await?.ok_or_else(|| cx.obstacle(format!("see {name} deleted"), why).into())
}

async fn deletion_orphan_releases_dependents(cx: Context) -> Checked {
    let things = collected(&cx).await?;
    let owner = things.create("owner").await?;
    let orphan = create_dependent(&things, "orphan", &owner, &[]).await?;
    cx.send(delete_by(&things, "owner", "Orphan")).await?.written()?;
    expect_to_go(&cx, &things, "owner").await?;
    a_dependent_goes_with_its_owner(&cx, &things).await?;

    let got = things.get("orphan").await?;

    let object = expect_there(&got, &orphan)?;
    let owners = object.json()["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
    let owned = owners.iter().any(|known| known["uid"] == owner.metadata("uid"));
    got.expect(!owned, "no reference to the owner that is gone", format!("{owners:?}"))
}

/// What the garbage collector began before, it has done when it has done this.
async fn a_dependent_goes_with_its_owner(cx: &Context, things: &Collection) -> Checked {
    let owner = things.create("last-owner").await?;
    create_dependent(things, "last-dependent", &owner, &[]).await?;
    cx.send(delete_by(things, "last-owner", "Background")).await?.written()?;
    let gone = cx
        .aside(cx.poll(cx.soon() + AT_WORK * cx.event_timeout(), || is_gone(things, "last-dependent")))
        .await?;
    let why = "the garbage collector has not removed it in time";
    gone.ok_or_else(|| cx.obstacle("see an object go with its owner", why).into())
}

async fn deletion_background_collects_dependents(cx: Context) -> Checked {
    let things = collected(&cx).await?;
    let owner = things.create("owner").await?;
    create_dependent(&things, "dependent", &owner, &[]).await?;

    cx.send(delete_by(&things, "owner", "Background")).await?.written()?;

    expect_to_go(&cx, &things, "dependent").await
}
