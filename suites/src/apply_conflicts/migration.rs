//! Migration from client-side to server-side apply.

use std::sync::Arc;

use harness::{Checked, Context, Exchange, Halt};

use crate::apply_fixture::Story;
use crate::apply_fixture::conflict::expect_conflicts;
use crate::string_map;

/// Where such a user has noted what was applied last.
const NOTE: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The name that goes with such notes.
const BEFORE: &str = "kubectl-client-side-apply";

rows![
    apply_conflicts_migration_kubectl_absorbed,
    apply_conflicts_migration_other_manager_not_absorbed,
    apply_conflicts_migration_changed_field,
];

/// An object with the texts `a` and `b`, and a note that they were applied.
async fn noted(cx: &Context) -> Result<Story, Halt> {
    let story = Story::new(cx, cx.collection_under_test().await?);
    let applied = [("a", "1"), ("b", "1")];
    let mut whole = string_map::body(&story.collection, story.name, &applied);
    whole["metadata"]["annotations"][NOTE] = story.body(&story.texts(applied)).to_string().into();
    story.posted(BEFORE, &whole).await?;
    Ok(story)
}

async fn apply(story: &Story, manager: &str, text: &str) -> Result<Arc<Exchange>, Halt> {
    story.ask(story.applying(manager, &story.texts([("a", text)]))).await
}

async fn apply_conflicts_migration_kubectl_absorbed(cx: Context) -> Checked {
    let story = noted(&cx).await?;

    let answer = apply(&story, "kubectl", "2").await?;

    story.expect_texts(&answer, &[("a", Some("2"))]).await
}

async fn apply_conflicts_migration_other_manager_not_absorbed(cx: Context) -> Checked {
    let story = noted(&cx).await?;

    let refused = apply(&story, "my-manager", "2").await?;

    expect_conflicts(&refused, &[(BEFORE, &story.field_of_text("a"))])
}

async fn apply_conflicts_migration_changed_field(cx: Context) -> Checked {
    let story = noted(&cx).await?;
    story.merged("u", &story.texts([("a", "5")])).await?;

    let refused = apply(&story, "kubectl", "1").await?;

    expect_conflicts(&refused, &[("u", &story.field_of_text("a"))])
}
