//! Lists of every type that the server has.

use std::time::{Duration, Instant};

use harness::{Context, Halt, Request, Suite};
use serde_json::Value;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite.scenario("rv-in-list-metadata", lists_of_all_types_have_a_version).read_only()
}

/// Types that cannot be watched may be made up as they are asked for, and have no versions.
async fn lists_of_all_types_have_a_version(cx: Context) -> Result<(), Halt> {
    const LONGEST: Duration = Duration::from_secs(10);
    let paths = lists_of_stored_types(&cx).await?;
    let (began, mut asked) = (Instant::now(), 0);
    for path in paths {
        let listed = cx.send(Request::get(&path).query("limit", 1)).await?;
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

/// The paths of all collections that can be listed and watched, as the server says.
async fn lists_of_stored_types(cx: &Context) -> Result<Vec<String>, Halt> {
    let groups = cx.send(Request::get("/apis")).await?;
    let groups = groups.json().map(|json| each(&json["groups"])).unwrap_or_default();
    let preferred = groups.iter().filter_map(|group| group["preferredVersion"]["groupVersion"].as_str());
    let roots = ["/api/v1".to_owned()].into_iter().chain(preferred.map(|version| format!("/apis/{version}")));
    let mut paths = Vec::new();
    for root in roots {
        let found = cx.send(Request::get(&root)).await?;
        let types = found.json().map(|json| each(&json["resources"])).unwrap_or_default();
        let stored = types.iter().filter(|one| ["list", "watch"].iter().all(|verb| has_verb(one, verb)));
        paths.extend(stored.filter_map(|one| Some(format!("{root}/{}", one["name"].as_str()?))));
    }
    Ok(paths)
}

fn each(list: &Value) -> Vec<Value> {
    list.as_array().cloned().unwrap_or_default()
}

fn has_verb(resource: &Value, verb: &str) -> bool {
    resource["verbs"].as_array().is_some_and(|verbs| verbs.iter().any(|known| known == verb))
}
