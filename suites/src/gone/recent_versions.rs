//! Recent `resourceVersions`, which have not expired.

use super::expired_collection::Past;
use crate::prelude::*;

rows![gone_recent_version_still_served.namespaced()];

async fn gone_recent_version_still_served(cx: Context) -> Checked {
    let Past { collection, before, .. } = Past::arrange(&cx).await?;

    let listed = collection.list().exactly(&before.version).page().await?;
    let mut watch = collection.watch().at(&before.version).open().await?;

    listed.expect_version(&before.version)?;
    listed.expect_items(&before.items)?;
    for (kind, name) in [("MODIFIED", "b"), ("DELETED", "c"), ("ADDED", "e")] {
        watch.expect(kind, name).await?;
    }
    Ok(())
}
