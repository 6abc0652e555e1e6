//! `metadata.creationTimestamp`.

use std::ops::RangeInclusive;

use super::expect_not_writable;
use super::invariants::{expect, was_created_at_a_time};
use crate::clock::{self, second};
use crate::prelude::*;

/// A time before the run.
const PAST: &str = "2001-01-01T00:00:00Z";

/// Tolerated difference between the clock of the `Date` header and that of the timestamp, in seconds.
const SKEW: i64 = 300;

/// Between two creations, in seconds of the Date header: more than the tolerated difference of clocks.
const PAUSE: i64 = 2 + clock::SKEW;

rows![
    metadata_creationtimestamp_set,
    metadata_creationtimestamp_not_client_settable_on_create,
    metadata_creationtimestamp_not_changed_by_update,
];

/// The creationTimestamp lies within these seconds, or near the Date header of the response.
fn expect_within(response: &Exchange, span: &RangeInclusive<i64>) -> Checked {
    let object = response.object()?;
    let timestamp = object.metadata("creationTimestamp");
    let within = second(timestamp).is_some_and(|created| clock::is_within(created, span, response, SKEW));
    response.expect(within, format!("creationTimestamp {}", clock::text(span)), format!("{timestamp:?}"))
}

fn expect_same(response: &Exchange, before: &Object) -> Checked {
    let (expected, object) = (before.metadata("creationTimestamp"), response.object()?);
    let actual = object.metadata("creationTimestamp");
    response.expect(
        actual == expected,
        format!("creationTimestamp {expected} as before"),
        format!("{actual:?}"),
    )
}

async fn metadata_creationtimestamp_set(cx: Context, collection: Collection) -> Checked {
    let begun = Instant::now();
    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;

    let received = Instant::now();
    expect(&created, was_created_at_a_time)?;
    let first = created.object()?;
    clock::wait(&cx, (&collection, "a"), PAUSE).await?;
    let least = received.elapsed();
    let later = cx.send(Request::post(collection.path(), &collection.body("b", "first"))).await?;
    expect_within(&later, &later_than(&first, least, begun.elapsed()))?;
    let patch = Request::merge_patch(collection.path_of("a"), &collection.change("second"));
    expect_same(&*cx.send(patch).await?, &first)?;
    expect_same(&*collection.get("a").await?, &first)
}

/// The seconds in which an object was created, at least and at most this time after the first.
fn later_than(first: &Object, least: Duration, most: Duration) -> RangeInclusive<i64> {
    let first = second(first.metadata("creationTimestamp")).unwrap_or_default();
    let [least, most] = [least, most].map(|time| i64::try_from(time.as_secs()).unwrap_or(0));
    first + least - clock::SKEW..=first + most + 1 + clock::SKEW
}

async fn metadata_creationtimestamp_not_client_settable_on_create(
    cx: Context,
    collection: Collection,
) -> Checked {
    let post = post_with(&collection, "a", |body| body["metadata"]["creationTimestamp"] = PAST.into());

    let begun = Instant::now();
    let created = cx.send(post).await?;

    created.expect_status(&[201])?;
    let responses = [created, collection.get("a").await?];
    for response in &responses {
        let timestamp = response.object()?.metadata("creationTimestamp").to_owned();
        let is_chosen = timestamp != PAST && second(&timestamp).is_some();
        response.expect(is_chosen, "a creationTimestamp that the server chooses", timestamp)?;
    }
    let span = clock::since(&collection, begun).await?;
    responses.iter().try_for_each(|response| expect_within(response, &span))
}

async fn metadata_creationtimestamp_not_changed_by_update(cx: Context, stored: StoredObject) -> Checked {
    for value in [Value::Null, PAST.into()] {
        let same = |response: &Exchange| expect_same(response, &stored.read);
        expect_not_writable(&cx, &stored, "creationTimestamp", value, same).await?;
    }
    Ok(())
}
