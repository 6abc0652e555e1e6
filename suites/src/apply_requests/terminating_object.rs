//! Applies to an object with a `deletionTimestamp`.

use harness::{Checked, Context, Request};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::apply_fixture::Story;
use crate::finalizers::{HOLD, STAY, and_release, set};
use crate::unchanged_object::expect_rejected;

rows![apply_requests_terminating_object, apply_requests_drop_last_finalizer_deletes];

/// An apply of the whole object with the finalizer that holds it.
fn holding(story: &Story) -> Request {
    let mut body = story.whole(&[("k", "v")]);
    body["metadata"]["finalizers"] = json!([HOLD]);
    story.applying_body(MANAGER, &body)
}

async fn apply_requests_terminating_object(story: Story) -> Checked {
    story.done(holding(&story)).await?;
    story.collection.delete(story.name).await?;

    let asking = async {
        let before = story.read().await?.written()?;
        let answer = story.ask(story.applying_texts(OTHER, &[("l", "w")])).await?;
        answer.expect_status(&[200])?;
        story.expect_texts(&answer, &[("k", Some("v")), ("l", Some("w"))]).await?;
        for answer in [answer, story.read().await?] {
            let (shown, time) = (answer.object()?, before.metadata("deletionTimestamp"));
            let shown = shown.metadata("deletionTimestamp").to_owned();
            answer.expect(shown == time, format!("an object being deleted since {time:?}"), shown)?;
        }
        let held = story.body(&set(&[STAY]));
        expect_rejected(&*story.ask(story.applying_body(OTHER, &held)).await?)
    };
    and_release(&story.collection, asking).await
}

async fn apply_requests_drop_last_finalizer_deletes(cx: Context, story: Story) -> Checked {
    story.done(holding(&story)).await?;
    story.collection.delete(story.name).await?;

    let answer = story.ask(story.applying_whole(MANAGER, &[("k", "v")])).await?;

    let gone = cx.eventually(|| async { Ok((story.read().await?.status() == 404).then_some(())) });
    if gone.await?.is_none() {
        return and_release(&story.collection, async {
            Err(answer.fail("the end of the object", answer.brief()))
        })
        .await;
    }
    answer.expect_status(&[200])
}
