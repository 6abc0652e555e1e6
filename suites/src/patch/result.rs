//! Validation of the patched object, and its `resourceVersion`.

use super::PatchFixture;
use crate::prelude::*;
use crate::unchanged_object::expect_rejected;

rows![patch_namespace_change_400, patch_bumps_rv, patch_noop_keeps_rv];

async fn patch_namespace_change_400(fixture: PatchFixture) -> Checked {
    let stored = &fixture.stored;

    let response = fixture.patch(MERGE, &json!({ "metadata": { "namespace": "other" } })).await?;

    stored.expect_unchanged().await?;
    // kube-apiserver ignores the namespace in a patch of a cluster-scoped object.
    if stored.collection.is_namespaced() || !response.succeeded() {
        return expect_rejected(&response);
    }
    let (returned, now) = (response.object()?, stored.get().object().await?);
    let none = returned.namespace().is_empty() && now.namespace().is_empty();
    response.expect(none, "an object without a namespace", now.namespace())
}

async fn patch_bumps_rv(fixture: PatchFixture) -> Checked {
    let before = fixture.stored.read.version();

    let response = fixture.set("k", "w").await?;

    let (returned, now) = (response.object()?, fixture.stored.get().object().await?);
    let other = format!("a resourceVersion other than {before}");
    response.expect(returned.version() != before, other, returned.version())?;
    let same = format!("resourceVersion {}, as in a later GET", now.version());
    response.expect(returned.version() == now.version(), same, returned.version())
}

async fn patch_noop_keeps_rv(fixture: PatchFixture) -> Checked {
    let collection = &fixture.stored.collection;
    let first = fixture.set("k", "w").await?.written()?;
    let selector = format!("metadata.name={}", first.name());
    let mut watch = collection.watch().fields(&selector).at(first.version()).open().await?;

    let again = fixture.set("k", "w").await?;

    let (expected, actual) = (first.version(), again.object()?.version().to_owned());
    again.expect(actual == expected, format!("resourceVersion {expected} as before"), actual)?;
    let next = fixture.set("k", "x").await?.written()?;
    let event = watch.event_or_fail("the event of the next change").await?;
    let expected = format!("MODIFIED at {}, the event of the next change", next.version());
    let right = event.kind == "MODIFIED" && event.object.version() == next.version();
    watch.expect_that(right, expected, event.brief())
}
