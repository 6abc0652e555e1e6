//! Migration from client-side to server-side apply.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::prelude::*;

/// The annotation of client-side apply.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The field manager of client-side apply.
const CLIENT_SIDE: &str = "kubectl-client-side-apply";

rows![
    apply_conflicts_migration_kubectl_absorbed,
    apply_conflicts_migration_other_manager_not_absorbed,
    apply_conflicts_migration_changed_field,
];

/// An object with the string fields `a` and `b`, created by a client-side apply.
async fn applied_by_a_client(cx: &Context) -> Result<ApplyFixture, Halt> {
    let fixture = ApplyFixture::of_the_subject(cx).await?;
    let applied = [("a", "1"), ("b", "1")];
    let mut whole = fixture.whole(&applied);
    whole["metadata"]["annotations"][LAST_APPLIED] = fixture.holding(&applied).to_string().into();
    fixture.posted(CLIENT_SIDE, &whole).await?;
    Ok(fixture)
}

async fn apply(fixture: &ApplyFixture, manager: &str, text: &str) -> Result<Arc<Exchange>, Halt> {
    fixture.send(fixture.applying(manager, &fixture.texts([("a", text)]))).await
}

async fn apply_conflicts_migration_kubectl_absorbed(cx: Context) -> Checked {
    let fixture = applied_by_a_client(&cx).await?;

    let response = apply(&fixture, "kubectl", "2").await?;

    fixture.expect_texts(&response, &[("a", Some("2"))]).await
}

async fn apply_conflicts_migration_other_manager_not_absorbed(cx: Context) -> Checked {
    let fixture = applied_by_a_client(&cx).await?;

    let refused = apply(&fixture, "my-manager", "2").await?;

    expect_conflicts(&refused, &[(CLIENT_SIDE, &fixture.field_of_text("a"))])
}

async fn apply_conflicts_migration_changed_field(cx: Context) -> Checked {
    let fixture = applied_by_a_client(&cx).await?;
    fixture.merged("u", &fixture.texts([("a", "5")])).await?;

    let refused = apply(&fixture, "kubectl", "1").await?;

    expect_conflicts(&refused, &[("u", &fixture.field_of_text("a"))])
}
