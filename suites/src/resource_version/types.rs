//! The `resourceVersion` of lists of every type.

use crate::api_resources;
use crate::prelude::*;
use crate::response_objects::is_text;

rows![rv_in_list_metadata.own_kinds().read_only()];

/// Types that cannot be watched may be computed for each request, without versions.
async fn rv_in_list_metadata(cx: Context) -> Checked {
    let lists = api_resources::lists(&cx).await?;

    for (ty, listed) in lists.iter().filter(|(ty, _)| ty.is_stored()) {
        let Some(list) = listed.json() else { continue };
        let version = &list["metadata"]["resourceVersion"];
        let expected = format!("a resourceVersion in the metadata of {}", ty.path());
        listed.expect(is_text(version), expected, version.to_string())?;
    }
    Ok(())
}
