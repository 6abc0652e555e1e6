//! `metadata.creationTimestamp`.

use super::invariants::{expect, was_created_at_a_time};
use crate::clock::{another_second, date, second};
use crate::prelude::*;

/// A time long before anything of ours is created.
const LONG_AGO: &str = "2001-01-01T00:00:00Z";

/// By how many seconds the clocks of whoever answers and whoever stamps may differ.
const SKEW: i64 = 300;

rows![
    metadata_creationtimestamp_set,
    metadata_creationtimestamp_not_client_settable_on_create,
    metadata_creationtimestamp_not_changed_by_update,
];

/// The object was created about when this was answered, as far as the answer says when that was.
fn expect_about_now(answer: &Exchange) -> Checked {
    let created = answer.object()?;
    let at = created.metadata("creationTimestamp");
    let Some(now) = date(answer) else { return Ok(()) };
    let near = second(at).is_some_and(|at| (at - now).abs() <= SKEW);
    let expected = format!("creationTimestamp near {}", answer.header("date").unwrap_or_default());
    answer.expect(near, expected, format!("{at:?}"))
}

/// The object was created when it was created before.
fn expect_same(answer: &Exchange, before: &Object) -> Checked {
    let (at, shown) = (before.metadata("creationTimestamp"), answer.object()?);
    let now = shown.metadata("creationTimestamp");
    answer.expect(now == at, format!("creationTimestamp {at}, as before"), format!("{now:?}"))
}

async fn metadata_creationtimestamp_set(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;

    expect(&created, was_created_at_a_time)?;
    expect_about_now(&created)?;
    let first = created.object()?;
    another_second(&cx, &collection, "a").await?;
    let changed =
        cx.send(Request::merge_patch(collection.path_of("a"), &collection.change("second"))).await?;
    expect_same(&changed, &first)?;
    expect_same(&*collection.get("a").await?, &first)
}

async fn metadata_creationtimestamp_not_client_settable_on_create(
    cx: Context,
    collection: Collection,
) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["creationTimestamp"] = LONG_AGO.into();

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    created.expect_status(&[201])?;
    for shown in [created, collection.get("a").await?] {
        let at = shown.object()?.metadata("creationTimestamp").to_owned();
        shown.expect(at != LONG_AGO, "a creationTimestamp of the server's own", at)?;
        expect_about_now(&shown)?;
    }
    Ok(())
}

async fn metadata_creationtimestamp_not_changed_by_update(cx: Context, created: StoredObject) -> Checked {
    for given in [Value::Null, LONG_AGO.into()] {
        let mut body = created.again().await?.read.json().clone();
        body["metadata"]["creationTimestamp"] = given.clone();
        let change = json!({ "metadata": { "creationTimestamp": given } });
        for request in [Request::put(created.path(), &body), created.patch(MERGE, &change)] {
            let answer = cx.send(request).await?;

            if answer.status() == 422 {
                answer.expect_refusal(&[422])?;
            } else {
                expect_same(&answer, &created.read)?;
            }
            expect_same(&*created.get().await?, &created.read)?;
        }
    }
    Ok(())
}
