//! Applies to an object with a `deletionTimestamp`.

use super::{MANAGER, OTHER};
use crate::finalizers::{HOLD, STAY, and_release, set};
use crate::prelude::*;
use crate::unchanged_object::expect_rejected;

rows![apply_requests_terminating_object, apply_requests_drop_last_finalizer_deletes];

/// An apply of the whole object with the finalizer that holds it.
fn holding(fixture: &ApplyFixture) -> Request {
    let mut body = fixture.whole(&[("k", "v")]);
    body["metadata"]["finalizers"] = json!([HOLD]);
    fixture.applying_body(MANAGER, &body)
}

async fn apply_requests_terminating_object(fixture: ApplyFixture) -> Checked {
    fixture.done(holding(&fixture)).await?;
    fixture.collection.delete(fixture.name).await?;

    let asking = async {
        let before = fixture.read().await?.written()?;
        let answer = fixture.ask(fixture.applying_texts(OTHER, &[("l", "w")])).await?;
        answer.expect_status(&[200])?;
        fixture.expect_texts(&answer, &[("k", Some("v")), ("l", Some("w"))]).await?;
        for answer in [answer, fixture.read().await?] {
            let (shown, time) = (answer.object()?, before.metadata("deletionTimestamp"));
            let shown = shown.metadata("deletionTimestamp").to_owned();
            answer.expect(shown == time, format!("an object being deleted since {time:?}"), shown)?;
        }
        let held = fixture.body(&set(&[STAY]));
        expect_rejected(&*fixture.ask(fixture.applying_body(OTHER, &held)).await?)
    };
    and_release(&fixture.collection, asking).await
}

async fn apply_requests_drop_last_finalizer_deletes(cx: Context, fixture: ApplyFixture) -> Checked {
    fixture.done(holding(&fixture)).await?;
    fixture.collection.delete(fixture.name).await?;

    let answer = fixture.ask(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    let gone = cx.eventually(|| async { Ok((fixture.read().await?.status() == 404).then_some(())) });
    if gone.await?.is_none() {
        return and_release(&fixture.collection, async {
            Err(answer.fail("the end of the object", answer.brief()))
        })
        .await;
    }
    answer.expect_status(&[200])
}
