//! Versions that were handed out moments ago.

use harness::{Context, Halt, Suite};

use super::past::Past;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("gone-recent-version-still-served", a_version_handed_out_moments_ago_is_served)
}

async fn a_version_handed_out_moments_ago_is_served(cx: Context) -> Result<(), Halt> {
    let Past { things, before, .. } = Past::arrange(&cx).await?;

    let listed = things.list().exactly(&before.version).page().await?;
    let mut watch = things.watch().at(&before.version).open().await?;

    listed.expect_version(&before.version)?;
    listed.expect_items(&before.items)?;
    for (kind, name) in [("MODIFIED", "b"), ("DELETED", "c"), ("ADDED", "e")] {
        watch.expect(kind, name).await?;
    }
    Ok(())
}
