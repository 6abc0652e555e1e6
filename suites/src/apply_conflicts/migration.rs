//! Users who applied on their own side, and begin to let the server do it.

use std::sync::Arc;

use harness::{Context, Exchange, Halt, Suite};

use crate::story::Story;
use crate::story::conflict::expect_conflicts;
use crate::texts;

/// Where such a user has noted what was applied last.
const NOTE: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The name that goes with such notes.
const BEFORE: &str = "kubectl-client-side-apply";

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-conflicts-migration-kubectl-absorbed", what_kubectl_noted_is_no_conflict_for_it)
        .on_every_shape()
        .scenario("apply-conflicts-migration-other-manager-not-absorbed", it_is_for_every_other_manager)
        .on_every_shape()
        .scenario("apply-conflicts-migration-changed-field", what_was_changed_since_is_a_conflict)
        .on_every_shape()
}

/// An object with the texts `a` and `b`, and a note that they were applied.
async fn noted(cx: &Context) -> Result<Story, Halt> {
    let story = Story::new(cx, cx.things().await?);
    let applied = [("a", "1"), ("b", "1")];
    let mut whole = texts::body(&story.things, story.name, &applied);
    whole["metadata"]["annotations"][NOTE] = story.body(&story.texts(applied)).to_string().into();
    story.posted(BEFORE, &whole).await?;
    Ok(story)
}

async fn apply(story: &Story, manager: &str, text: &str) -> Result<Arc<Exchange>, Halt> {
    story.ask(story.applying(manager, &story.texts([("a", text)]))).await
}

async fn what_kubectl_noted_is_no_conflict_for_it(cx: Context) -> Result<(), Halt> {
    let story = noted(&cx).await?;

    let answer = apply(&story, "kubectl", "2").await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await
}

async fn it_is_for_every_other_manager(cx: Context) -> Result<(), Halt> {
    let story = noted(&cx).await?;

    let refused = apply(&story, "my-manager", "2").await?;

    expect_conflicts(&refused, &[(BEFORE, &story.field_of_text("a"))])
}

async fn what_was_changed_since_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let story = noted(&cx).await?;
    story.merged("u", &story.texts([("a", "5")])).await?;

    let refused = apply(&story, "kubectl", "1").await?;

    expect_conflicts(&refused, &[("u", &story.field_of_text("a"))])
}
