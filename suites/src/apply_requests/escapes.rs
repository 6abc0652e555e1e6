//! Characters beyond ASCII, as they are and in the escapes of JSON.

use harness::{Context, Halt, Request, Suite};

use super::MANAGER;
use crate::forms::{self, APPLY};
use crate::story::Story;

/// Adds the scenario of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-json-escapes", characters_are_kept_and_their_escapes_understood_or_refused)
        .on_every_shape()
}

const TEXT: &str = "Grüße, 世界 😀";

/// What YAML before 1.2 does not know, and what it means in JSON.
const ESCAPES: [(&str, &str); 2] = [(r"\ud83d\ude00", "😀"), (r"\/", "/")];

async fn characters_are_kept_and_their_escapes_understood_or_refused(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

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
    forms::raw_patch(&story.things, story.name, APPLY, &body).query("fieldManager", MANAGER)
}
