//! Terminating objects: `deletionTimestamp`, and the writes that remain possible.

use super::{
    ACCEPTED, BOTH, FIRST, delete, expect_terminating, expect_there, held, is_terminating, terminating,
};
use crate::clock::{self, SKEW, another_second, second};
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
    let create = post_with(&collection, "a", |body| body["metadata"]["finalizers"] = json!(BOTH));
    let created = cx.send(create).await?;

    for response in [created, collection.get("a").await?] {
        let timestamp = response.written()?.json()["metadata"]["deletionTimestamp"].clone();
        response.expect(timestamp.is_null(), "no metadata.deletionTimestamp", timestamp.to_string())?;
    }
    Ok(())
}

async fn deletion_timestamp_set_on_first_delete(collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

    let object = expect_there(&got, &created)?;
    let timestamp = object.metadata("deletionTimestamp");
    let expected = "metadata.deletionTimestamp as in RFC 3339";
    got.expect(second(timestamp).is_some(), expected, format!("{timestamp:?}"))
}

/// The age of an object whose creation no longer counts as now, in seconds.
const OLD: i64 = 3 + SKEW;

async fn deletion_timestamp_is_now(cx: Context, collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    clock::wait(&cx, (&collection, "a"), OLD).await?;

    let begun = Instant::now();
    let (deleted, got) = delete(&cx, &collection, "a").await?;

    deleted.expect_status(&[200, 202])?;
    let object = expect_terminating(&got, &created)?;
    Halt::skip_unless(clock::date(&deleted).is_some(), "the server sends no Date header")?;
    let span = clock::since(&collection, begun).await?;
    let at = object.metadata("deletionTimestamp");
    let is_now = second(at).is_some_and(|at| clock::is_within(at, &span, &deleted, SKEW));
    got.expect(is_now, format!("the time of the deletion, {}", clock::text(&span)), at)
}

async fn deletion_marked_state_published(collection: Collection) -> Checked {
    let held = held(&collection, "a", &[FIRST]).await?;
    let mut watch = from_now(&collection).await?;
    collection.delete("a").await?;
    let last = collection.create("b").await?;

    let events =
        watch.until(&format!("ADDED {}", last.name()), |event| event.object.name() == last.name()).await?;

    let own: Vec<_> = events.iter().filter(|event| event.object.name() == held.name()).collect();
    let published = own.iter().any(|event| event.kind == "MODIFIED" && is_terminating(&event.object));
    let actual: Vec<_> = own.iter().map(|event| event.brief()).collect();
    let expected = format!("MODIFIED {} with a deletionTimestamp, and no DELETED", held.name());
    let right = published && own.iter().all(|event| event.kind == "MODIFIED");
    watch.expect_that(right, expected, format!("[{}]", actual.join(", ")))
}

async fn deletion_grace_seconds_zero_when_marked(collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

    expect_terminating(&got, &created)?;
    got.expect_value("/metadata/deletionGracePeriodSeconds", &json!(0))
}

async fn deletion_marked_object_still_updatable(cx: Context, collection: Collection) -> Checked {
    let deleted = terminating(&cx, &collection, "a", &[FIRST]).await?;
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });

    let patched = cx.send(Request::merge_patch(collection.path_of("a"), &label)).await?;
    let got = collection.get("a").await?;

    patched.expect_status(&[200])?;
    expect_terminating(&got, &deleted)?;
    got.expect_value("/metadata/labels/assay", &json!("changed"))
}

async fn deletion_repeat_delete_is_accepted(cx: Context, collection: Collection) -> Checked {
    let deleted = terminating(&cx, &collection, "a", &[FIRST]).await?;
    another_second(&cx, &collection, "a").await?;

    let (again, got) = delete(&cx, &collection, "a").await?;

    again.expect_status(ACCEPTED)?;
    expect_terminating(&got, &deleted)?;
    let is_status = again.json().is_some_and(|body| body["kind"] == "Status");
    // Both responses show the object, unless a Status acknowledges the deletion.
    for response in [Some(&got), (!is_status).then_some(&again)].into_iter().flatten() {
        response
            .expect_value("/metadata/deletionTimestamp", &deleted.metadata("deletionTimestamp").into())?;
    }
    Ok(())
}

async fn deletion_create_same_name_while_terminating(cx: Context, collection: Collection) -> Checked {
    let deleted = terminating(&cx, &collection, "a", &[FIRST]).await?;

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "second"))).await?;
    let got = collection.get("a").await?;

    created.expect_error(&[409], &["AlreadyExists"])?;
    expect_terminating(&got, &deleted).map(drop)
}

async fn deletion_mark_bumps_generation(collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;
    let first = generations::counted(&created)?;
    collection.delete("a").await?;

    let got = collection.get("a").await?;

    expect_terminating(&got, &created)?;
    got.expect_value("/metadata/generation", &json!(first + 1))
}
