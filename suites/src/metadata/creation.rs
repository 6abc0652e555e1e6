//! `metadata.creationTimestamp`.

use super::expect_not_writable;
use super::invariants::{expect, was_created_at_a_time};
use crate::clock::{another_second, date, second};
use crate::prelude::*;

/// A time before the run.
const PAST: &str = "2001-01-01T00:00:00Z";

/// Tolerated difference between the clock of the `Date` header and that of the timestamp, in seconds.
const SKEW: i64 = 300;

rows![
    metadata_creationtimestamp_set,
    metadata_creationtimestamp_not_client_settable_on_create,
    metadata_creationtimestamp_not_changed_by_update,
];

/// The creationTimestamp is near the Date header of the response, if there is one.
fn expect_about_now(response: &Exchange) -> Checked {
    let object = response.object()?;
    let timestamp = object.metadata("creationTimestamp");
    let Some(now) = date(response) else { return Ok(()) };
    let near = second(timestamp).is_some_and(|created| (created - now).abs() <= SKEW);
    let expected = format!("creationTimestamp near {}", response.header("date").unwrap_or_default());
    response.expect(near, expected, format!("{timestamp:?}"))
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
    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;

    expect(&created, was_created_at_a_time)?;
    expect_about_now(&created)?;
    let first = created.object()?;
    another_second(&cx, &collection, "a").await?;
    let patch = Request::merge_patch(collection.path_of("a"), &collection.change("second"));
    expect_same(&*cx.send(patch).await?, &first)?;
    expect_same(&*collection.get("a").await?, &first)
}

async fn metadata_creationtimestamp_not_client_settable_on_create(
    cx: Context,
    collection: Collection,
) -> Checked {
    let post = post_with(&collection, "a", |body| body["metadata"]["creationTimestamp"] = PAST.into());

    let created = cx.send(post).await?;

    created.expect_status(&[201])?;
    for response in [created, collection.get("a").await?] {
        let timestamp = response.object()?.metadata("creationTimestamp").to_owned();
        response.expect(timestamp != PAST, "a creationTimestamp that the server chooses", timestamp)?;
        expect_about_now(&response)?;
    }
    Ok(())
}

async fn metadata_creationtimestamp_not_changed_by_update(cx: Context, stored: StoredObject) -> Checked {
    for value in [Value::Null, PAST.into()] {
        let same = |response: &Exchange| expect_same(response, &stored.read);
        expect_not_writable(&cx, &stored, "creationTimestamp", value, same).await?;
    }
    Ok(())
}
