//! Migration from client-side to server-side apply.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::prelude::*;
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
async fn noted(cx: &Context) -> Result<ApplyFixture, Halt> {
    let fixture = ApplyFixture::new(cx, cx.collection_under_test().await?);
    let applied = [("a", "1"), ("b", "1")];
    let mut whole = string_map::body(&fixture.collection, fixture.name, &applied);
    whole["metadata"]["annotations"][NOTE] = fixture.body(&fixture.texts(applied)).to_string().into();
    fixture.posted(BEFORE, &whole).await?;
    Ok(fixture)
}

async fn apply(fixture: &ApplyFixture, manager: &str, text: &str) -> Result<Arc<Exchange>, Halt> {
    fixture.ask(fixture.applying(manager, &fixture.texts([("a", text)]))).await
}

async fn apply_conflicts_migration_kubectl_absorbed(cx: Context) -> Checked {
    let fixture = noted(&cx).await?;

    let answer = apply(&fixture, "kubectl", "2").await?;

    fixture.expect_texts(&answer, &[("a", Some("2"))]).await
}

async fn apply_conflicts_migration_other_manager_not_absorbed(cx: Context) -> Checked {
    let fixture = noted(&cx).await?;

    let refused = apply(&fixture, "my-manager", "2").await?;

    expect_conflicts(&refused, &[(BEFORE, &fixture.field_of_text("a"))])
}

async fn apply_conflicts_migration_changed_field(cx: Context) -> Checked {
    let fixture = noted(&cx).await?;
    fixture.merged("u", &fixture.texts([("a", "5")])).await?;

    let refused = apply(&fixture, "kubectl", "1").await?;

    expect_conflicts(&refused, &[("u", &fixture.field_of_text("a"))])
}
