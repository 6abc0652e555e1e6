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
    fixture.write(holding(&fixture)).await?;
    fixture.collection.delete(fixture.name).await?;

    let checks = async {
        let time = fixture.read().await?.written()?.metadata("deletionTimestamp").to_owned();
        let response = fixture.send(fixture.applying_texts(OTHER, &[("l", "w")])).await?;
        response.expect_status(&[200])?;
        fixture.expect_texts(&response, &[("k", Some("v")), ("l", Some("w"))]).await?;
        for response in [response, fixture.read().await?] {
            response.expect_value("/metadata/deletionTimestamp", &json!(time))?;
        }
        let held = fixture.body(&set(&[STAY]));
        expect_rejected(&*fixture.send(fixture.applying_body(OTHER, &held)).await?)
    };
    and_release(&fixture.collection, checks).await
}

async fn apply_requests_drop_last_finalizer_deletes(cx: Context, fixture: ApplyFixture) -> Checked {
    fixture.write(holding(&fixture)).await?;
    fixture.collection.delete(fixture.name).await?;

    let response = fixture.send(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    let gone = cx.eventually(|| async { Ok((fixture.read().await?.status() == 404).then_some(())) });
    if gone.await?.is_none() {
        let kept = async { Err(response.fail("the removal of the object", response.brief())) };
        return and_release(&fixture.collection, kept).await;
    }
    response.expect_status(&[200])
}
