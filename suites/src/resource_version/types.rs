//! The `resourceVersion` of lists of every type.

use crate::api_resources;
use crate::prelude::*;

rows![rv_in_list_metadata.own_kinds().read_only()];

/// Types that cannot be watched may be made up as they are asked for, and have no versions.
async fn rv_in_list_metadata(cx: Context) -> Checked {
    let lists = api_resources::lists(&cx).await?;

    for (ty, listed) in lists.iter().filter(|(ty, _)| ty.is_stored()) {
        let Some(list) = listed.json() else { continue };
        let version = &list["metadata"]["resourceVersion"];
        let there = version.as_str().is_some_and(|version| !version.is_empty());
        let expected = format!("a resourceVersion in the metadata of {}", ty.path());
        listed.expect(there, expected, version.to_string())?;
    }
    Ok(())
}
