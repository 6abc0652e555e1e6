//! Non-ASCII characters and JSON escapes in the body of an apply.

use super::MANAGER;
use crate::patch_types;
use crate::prelude::*;

rows![apply_requests_json_escapes];

const TEXT: &str = "Grüße, 世界 😀";

/// What YAML before 1.2 does not know, and what it means in JSON.
const ESCAPES: [(&str, &str); 2] = [(r"\ud83d\ude00", "😀"), (r"\/", "/")];

async fn apply_requests_json_escapes(cx: Context, fixture: ApplyFixture) -> Checked {
    let answer = fixture.ask(fixture.applying_whole(MANAGER, &[("k", TEXT)])).await?;
    fixture.expect_texts(&answer, &[("k", Some(TEXT))]).await?;

    for (escape, meaning) in ESCAPES {
        let before = fixture.read().await?.object()?;
        let answer = fixture.ask(applying_escaped(&fixture, escape)).await?;
        if answer.succeeded() {
            fixture.expect_texts(&answer, &[("k", Some(meaning))]).await?;
        } else {
            answer.expect_refusal(&[400])?;
            fixture.expect_unchanged(&before).await?;
            cx.note(format!("the escape {escape} of JSON is not understood in an apply"));
        }
    }
    Ok(())
}

/// An apply of a text that is written with an escape.
fn applying_escaped(fixture: &ApplyFixture, escape: &str) -> Request {
    let body = fixture.whole(&[("k", "@@")]).to_string().replace("@@", escape);
    patch_types::raw_patch(&fixture.collection, fixture.name, APPLY, &body).query("fieldManager", MANAGER)
}
