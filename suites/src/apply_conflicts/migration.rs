//! Migration from client-side to server-side apply.

use crate::apply_table::Expect::{Conflicts, Texts};
use crate::apply_table::{self, Case, apply, merge};
use crate::prelude::*;

/// The annotation of client-side apply.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The field manager of client-side apply.
const CLIENT_SIDE: &str = "kubectl-client-side-apply";

pub(super) fn rows() -> Vec<Row> {
    table(MIGRATION, Kinds::All, on_applied_by_a_client)
}

#[rustfmt::skip]
const MIGRATION: &[(&str, Case)] = &[
    ("apply-conflicts-migration-kubectl-absorbed",
     (&[], apply("kubectl", &[("a", "2")]), &[Texts(&[("a", Some("2"))])])),
    ("apply-conflicts-migration-other-manager-not-absorbed",
     (&[], apply("my-manager", &[("a", "2")]), &[Conflicts(&[(CLIENT_SIDE, "a")])])),
    ("apply-conflicts-migration-changed-field",
     (&[merge("u", &[("a", "5")])], apply("kubectl", &[("a", "1")]), &[Conflicts(&[("u", "a")])])),
];

/// Runs a case on an object with the string fields `a` and `b`, created by a client-side apply.
async fn on_applied_by_a_client(cx: Context, case: Case) -> Checked {
    let fixture = ApplyFixture::of_the_subject(&cx).await?;
    let applied = [("a", "1"), ("b", "1")];
    let mut whole = fixture.whole(&applied);
    whole["metadata"]["annotations"][LAST_APPLIED] = fixture.holding(&applied).to_string().into();
    fixture.posted(CLIENT_SIDE, &whole).await?;
    apply_table::run(&fixture, case).await
}
