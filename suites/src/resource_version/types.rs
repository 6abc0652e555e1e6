//! Lists of every type that the server has.

use harness::{Context, Halt, Suite};

use crate::types;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("rv-in-list-metadata", lists_of_all_types_have_a_version).read_only()
}

/// Types that cannot be watched may be made up as they are asked for, and have no versions.
async fn lists_of_all_types_have_a_version(cx: Context) -> Result<(), Halt> {
    let lists = types::lists(&cx).await?;

    for (ty, listed) in lists.iter().filter(|(ty, _)| ty.is_stored()) {
        let Some(list) = listed.json() else { continue };
        let version = &list["metadata"]["resourceVersion"];
        let there = version.as_str().is_some_and(|version| !version.is_empty());
        let expected = format!("a resourceVersion in the metadata of {}", ty.path());
        listed.expect(there, expected, version.to_string())?;
    }
    Ok(())
}
