//! Non-ASCII characters and JSON escapes in the body of an apply.

use harness::{Checked, Context, Request};

use super::MANAGER;
use crate::apply_fixture::Story;
use crate::patch_types::{self, APPLY};

rows![apply_requests_json_escapes];

const TEXT: &str = "Grüße, 世界 😀";

/// What YAML before 1.2 does not know, and what it means in JSON.
const ESCAPES: [(&str, &str); 2] = [(r"\ud83d\ude00", "😀"), (r"\/", "/")];

async fn apply_requests_json_escapes(cx: Context, story: Story) -> Checked {
    let answer = story.ask(story.applying_whole(MANAGER, &[("k", TEXT)])).await?;
    story.expect_texts(&answer, &[("k", Some(TEXT))]).await?;

    for (escape, meaning) in ESCAPES {
        let before = story.read().await?.object()?;
        let answer = story.ask(applying_escaped(&story, escape)).await?;
        if answer.succeeded() {
            story.expect_texts(&answer, &[("k", Some(meaning))]).await?;
        } else {
            answer.expect_refusal(&[400])?;
            story.expect_unchanged(&before).await?;
            cx.note(format!("the escape {escape} of JSON is not understood in an apply"));
        }
    }
    Ok(())
}

/// An apply of a text that is written with an escape.
fn applying_escaped(story: &Story, escape: &str) -> Request {
    let body = story.whole(&[("k", "@@")]).to_string().replace("@@", escape);
    patch_types::raw_patch(&story.collection, story.name, APPLY, &body).query("fieldManager", MANAGER)
}
