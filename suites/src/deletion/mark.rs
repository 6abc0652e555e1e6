//! Objects that are being deleted: what shows it, and what can still be done with them.

use std::ops::RangeInclusive;

use harness::{Context, Exchange, Halt, Request, Suite};
use serde_json::json;

use super::{ACCEPTED, BOTH, FIRST, expect_marked, expect_there, held, is_marked, marked};
use crate::clock::{another_second, date, second, wait_until};
use crate::generations;
use crate::watch::from_now;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("deletion-timestamp-absent-while-live", who_is_not_deleted_has_no_time_of_deletion)
        .on_every_shape()
        .scenario("deletion-timestamp-set-on-first-delete", the_first_deletion_sets_the_time)
        .also("metadata-deletiontimestamp-set-on-deferred-delete")
        .on_every_shape()
        .scenario("deletion-timestamp-is-now", the_time_of_deletion_is_that_of_the_request)
        .on_every_shape()
        .scenario("deletion-marked-state-published", a_deletion_that_has_begun_is_told_as_a_change)
        .on_every_shape()
        .scenario("deletion-grace-seconds-zero-when-marked", there_is_no_grace_for_objects)
        .on_every_shape()
        .scenario("deletion-marked-object-still-updatable", who_is_being_deleted_can_be_changed)
        .on_every_shape()
        .scenario("deletion-repeat-delete-is-accepted", a_second_deletion_changes_nothing)
        .on_every_shape()
        .scenario("deletion-mark-bumps-generation", the_first_deletion_makes_a_new_generation)
        .on_shapes_with_status()
        .scenario("deletion-create-same-name-while-terminating", who_is_being_deleted_keeps_its_name)
        .on_every_shape()
}

async fn who_is_not_deleted_has_no_time_of_deletion(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let body = {
        let mut body = things.body("a", "first");
        body["metadata"]["finalizers"] = json!(BOTH);
        body
    };

    let created = cx.send(Request::post(things.path(), &body)).await?;
    let got = things.get("a").await?;

    for shown in [created, got] {
        let timestamp = shown.written()?.json()["metadata"]["deletionTimestamp"].clone();
        shown.expect(timestamp.is_null(), "no metadata.deletionTimestamp", timestamp.to_string())?;
    }
    Ok(())
}

async fn the_first_deletion_sets_the_time(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", &[FIRST]).await?;
    things.delete("a").await?;

    let got = things.get("a").await?;

    let object = expect_there(&got, &created)?;
    let timestamp = object.metadata("deletionTimestamp");
    got.expect(
        second(timestamp).is_some(),
        "metadata.deletionTimestamp as in RFC 3339",
        format!("{timestamp:?}"),
    )
}

/// Seconds by which the clock of whoever writes Date may differ from that of whoever writes the time of deletion.
const SKEW: i64 = 1;

/// Seconds after its creation from which on an object's creation is no longer now.
const OLD: i64 = 3 + SKEW;

async fn the_time_of_deletion_is_that_of_the_request(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", &[FIRST]).await?;
    if let Some(created) = second(created.metadata("creationTimestamp")) {
        wait_until(&cx, (&things, "a"), created + OLD).await?;
    }

    let deleted = cx.send(Request::delete(things.path_of("a"))).await?;
    let got = things.get("a").await?;

    let object = expect_marked(&got, &created)?;
    let Some(now) = about_now(&deleted) else {
        return Err(Halt::Skipped("the server does not say what time it is in a Date header".to_owned()));
    };
    let at = object.metadata("deletionTimestamp");
    let expected =
        format!("the time at which it was deleted, {}", deleted.header("date").unwrap_or_default());
    got.expect(second(at).is_some_and(|at| now.contains(&at)), expected, at)
}

/// The seconds in which what an answer tells of may have happened; nothing where it does not say when it was given.
pub(super) fn about_now(answer: &Exchange) -> Option<RangeInclusive<i64>> {
    let date = date(answer)?;
    let took = i64::try_from(answer.timing.head.as_secs()).unwrap_or(0) + 1;
    Some(date - took - SKEW..=date + SKEW)
}

async fn a_deletion_that_has_begun_is_told_as_a_change(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let held = held(&things, "a", &[FIRST]).await?;
    let mut watch = from_now(&things).await?;
    things.delete("a").await?;
    let last = things.create("b").await?;

    let events =
        watch.until(&format!("ADDED {}", last.name()), |event| event.object.name() == last.name()).await?;

    let told: Vec<_> = events.iter().filter(|event| event.object.name() == held.name()).collect();
    let shown = told.iter().any(|event| event.kind == "MODIFIED" && is_marked(&event.object));
    if shown && told.iter().all(|event| event.kind == "MODIFIED") {
        return Ok(());
    }
    let told: Vec<_> = told.iter().map(|event| event.brief()).collect();
    let expected = format!("MODIFIED {} with a deletionTimestamp, and no DELETED", held.name());
    Err(watch.fail(expected, format!("[{}]", told.join(", "))))
}

async fn there_is_no_grace_for_objects(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", &[FIRST]).await?;
    things.delete("a").await?;

    let got = things.get("a").await?;

    let grace = expect_marked(&got, &created)?.json()["metadata"]["deletionGracePeriodSeconds"].clone();
    got.expect(grace == 0, "metadata.deletionGracePeriodSeconds: 0", grace.to_string())
}

async fn who_is_being_deleted_can_be_changed(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let marked = marked(&cx, &things, "a", &[FIRST]).await?;
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });

    let patched = cx.send(Request::merge_patch(things.path_of("a"), &label)).await?;
    let got = things.get("a").await?;

    patched.expect_status(&[200])?;
    let object = expect_marked(&got, &marked)?;
    let labels = &object.json()["metadata"]["labels"];
    got.expect(labels["assay"] == "changed", "the label assay=changed", labels.to_string())
}

async fn a_second_deletion_changes_nothing(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let marked = marked(&cx, &things, "a", &[FIRST]).await?;
    another_second(&cx, &things, "a").await?;

    let again = cx.send(Request::delete(things.path_of("a"))).await?;
    let got = things.get("a").await?;

    again.expect_status(ACCEPTED)?;
    let (object, first) = (expect_marked(&got, &marked)?, marked.metadata("deletionTimestamp"));
    let since = object.metadata("deletionTimestamp");
    got.expect(since == first, format!("deletionTimestamp {first}, as before"), since)
}

async fn who_is_being_deleted_keeps_its_name(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let marked = marked(&cx, &things, "a", &[FIRST]).await?;

    let created = cx.send(Request::post(things.path(), &things.body("a", "second"))).await?;
    let got = things.get("a").await?;

    created.expect_error(&[409], &["AlreadyExists"])?;
    expect_marked(&got, &marked).map(drop)
}

async fn the_first_deletion_makes_a_new_generation(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = held(&things, "a", &[FIRST]).await?;
    let first = generations::counted(&created)?;
    things.delete("a").await?;

    let got = things.get("a").await?;

    let generation = expect_marked(&got, &created)?.json()["metadata"]["generation"].clone();
    got.expect(generation == first + 1, format!("generation {}", first + 1), generation.to_string())
}
