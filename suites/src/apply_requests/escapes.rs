//! Non-ASCII characters and JSON escapes in the body of an apply.

use super::MANAGER;
use crate::patch_types;
use crate::prelude::*;

rows![apply_requests_json_escapes];

const TEXT: &str = "Grüße, 世界 😀";

/// Escapes of JSON that YAML before 1.2 lacks, each with its meaning.
const ESCAPES: [(&str, &str); 2] = [(r"\ud83d\ude00", "😀"), (r"\/", "/")];

async fn apply_requests_json_escapes(cx: Context, fixture: ApplyFixture) -> Checked {
    let response = fixture.send(fixture.applying_whole(MANAGER, &[("k", TEXT)])).await?;
    fixture.expect_texts(&response, &[("k", Some(TEXT))]).await?;

    for (escape, meaning) in ESCAPES {
        let before = fixture.read().await?.object()?;
        let response = fixture.send(applying_escaped(&fixture, escape)).await?;
        if response.succeeded() {
            fixture.expect_texts(&response, &[("k", Some(meaning))]).await?;
        } else {
            response.expect_rejection(&[400])?;
            fixture.expect_unchanged(&before).await?;
            cx.note(format!("the server rejects the JSON escape {escape} in an apply"));
        }
    }
    Ok(())
}

/// An apply of a string with an escape.
fn applying_escaped(fixture: &ApplyFixture, escape: &str) -> Request {
    let body = fixture.whole(&[("k", "@@")]).to_string().replace("@@", escape);
    patch_types::raw_patch(&fixture.collection, fixture.name, APPLY, &body).query("fieldManager", MANAGER)
}
