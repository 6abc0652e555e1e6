//! Lists of every type that the server has.

use std::time::{Duration, Instant};

use harness::{Context, Halt, Request, Suite};

use crate::served;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("rv-in-list-metadata", lists_of_all_types_have_a_version).read_only()
}

/// Types that cannot be watched may be made up as they are asked for, and have no versions.
async fn lists_of_all_types_have_a_version(cx: Context) -> Result<(), Halt> {
    const LONGEST: Duration = Duration::from_secs(10);
    let types = served::types(&cx).await?;
    let (began, mut asked) = (Instant::now(), 0);
    for path in types.iter().filter(|ty| ty.has("list") && ty.has("watch")).map(|ty| &ty.path) {
        let listed = cx.send(Request::get(path).query("limit", 1)).await?;
        let Some(list) = listed.json().filter(|_| listed.status() == 200) else { continue };

        asked += 1;
        let version = &list["metadata"]["resourceVersion"];
        let there = version.as_str().is_some_and(|version| !version.is_empty());
        listed.expect(there, format!("a resourceVersion in the metadata of {path}"), version.to_string())?;
        if began.elapsed() > LONGEST {
            cx.note(format!("this took long, so that only {asked} types were asked about"));
            break;
        }
    }
    if asked > 0 { Ok(()) } else { Err(Halt::Skipped("no type can be listed and watched".to_owned())) }
}
