//! Terminating objects: `deletionTimestamp`, and the writes that remain possible.

use std::ops::RangeInclusive;

use super::{ACCEPTED, BOTH, FIRST, expect_marked, expect_there, held, is_marked, marked};
use crate::clock::{another_second, date, second, wait_until};
use crate::generations;
use crate::prelude::*;
use crate::watch::from_now;

rows![
    deletion_timestamp_absent_while_live,
    deletion_timestamp_set_on_first_delete.also("metadata-deletiontimestamp-set-on-deferred-delete"),
    deletion_timestamp_is_now,
    deletion_marked_state_published,
    deletion_grace_seconds_zero_when_marked,
    deletion_marked_object_still_updatable,
    deletion_repeat_delete_is_accepted,
    deletion_mark_bumps_generation.with_status(),
    deletion_create_same_name_while_terminating,
];

async fn deletion_timestamp_absent_while_live(cx: Context, collection: Collection) -> Checked {
    let body = {
        let mut body = collection.body("a", "first");
        body["metadata"]["finalizers"] = json!(BOTH);
        body
    };

    let created = cx.send(Request::post(collection.path(), &body)).await?;
    let got = collection.get("a").await?;

    for shown in [created, got] {
        let timestamp = shown.written()?.json()["metadata"]["deletionTimestamp"].clone();
        shown.expect(timestamp.is_null(), "no metadata.deletionTimestamp", timestamp.to_string())?;
    }
    Ok(())
}

async fn deletion_timestamp_set_on_first_delete(collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

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

async fn deletion_timestamp_is_now(cx: Context, collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    if let Some(created) = second(created.metadata("creationTimestamp")) {
        wait_until(&cx, (&collection, "a"), created + OLD).await?;
    }

    let deleted = cx.send(Request::delete(collection.path_of("a"))).await?;
    let got = collection.get("a").await?;

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

async fn deletion_marked_state_published(collection: Collection) -> Checked {
    let held = held(&collection, "a", &[FIRST]).await?;
    let mut watch = from_now(&collection).await?;
    collection.delete("a").await?;
    let last = collection.create("b").await?;

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

async fn deletion_grace_seconds_zero_when_marked(collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

    let grace = expect_marked(&got, &created)?.json()["metadata"]["deletionGracePeriodSeconds"].clone();
    got.expect(grace == 0, "metadata.deletionGracePeriodSeconds: 0", grace.to_string())
}

async fn deletion_marked_object_still_updatable(cx: Context, collection: Collection) -> Checked {
    let marked = marked(&cx, &collection, "a", &[FIRST]).await?;
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });

    let patched = cx.send(Request::merge_patch(collection.path_of("a"), &label)).await?;
    let got = collection.get("a").await?;

    patched.expect_status(&[200])?;
    let object = expect_marked(&got, &marked)?;
    let labels = &object.json()["metadata"]["labels"];
    got.expect(labels["assay"] == "changed", "the label assay=changed", labels.to_string())
}

async fn deletion_repeat_delete_is_accepted(cx: Context, collection: Collection) -> Checked {
    let marked = marked(&cx, &collection, "a", &[FIRST]).await?;
    another_second(&cx, &collection, "a").await?;

    let again = cx.send(Request::delete(collection.path_of("a"))).await?;
    let got = collection.get("a").await?;

    again.expect_status(ACCEPTED)?;
    let (object, first) = (expect_marked(&got, &marked)?, marked.metadata("deletionTimestamp"));
    let since = object.metadata("deletionTimestamp");
    got.expect(since == first, format!("deletionTimestamp {first}, as before"), since)
}

async fn deletion_create_same_name_while_terminating(cx: Context, collection: Collection) -> Checked {
    let marked = marked(&cx, &collection, "a", &[FIRST]).await?;

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "second"))).await?;
    let got = collection.get("a").await?;

    created.expect_error(&[409], &["AlreadyExists"])?;
    expect_marked(&got, &marked).map(drop)
}

async fn deletion_mark_bumps_generation(collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    let first = generations::counted(&created)?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

    let generation = expect_marked(&got, &created)?.json()["metadata"]["generation"].clone();
    got.expect(generation == first + 1, format!("generation {}", first + 1), generation.to_string())
}
