//! The kinds and paths of subresources.

use crate::api_resources;
use crate::prelude::*;

rows![kinds_subresource_rooted_at_parent.own_kinds()];

/// Subresources that connect to nodes and processes.
const ELSEWHERE: [&str; 4] = ["attach", "exec", "portforward", "proxy"];

async fn kinds_subresource_rooted_at_parent(cx: Context) -> Checked {
    let missing = cx.own_name("missing");
    for (root, found) in api_resources::discovered(&cx).await? {
        for resource in api_resources::resources(&found) {
            let Some((parent, name)) = resource["name"].as_str().and_then(|name| name.split_once('/')) else {
                continue;
            };
            expect_parent(&found, resource, parent)?;
            if api_resources::is_of_the_project(&root) && gets(resource) && !ELSEWHERE.contains(&name) {
                let scope = if resource["namespaced"] == true { "/namespaces/default" } else { "" };
                let below = format!("{root}{scope}/{parent}/{missing}/{name}");
                cx.send(Request::get(below)).await?.expect_status(&[404])?;
            }
        }
    }
    Ok(())
}

fn gets(resource: &Value) -> bool {
    resource["verbs"].as_array().is_some_and(|verbs| verbs.iter().any(|verb| verb == "get"))
}

/// The parent of a subresource is a resource of the same version and scope.
fn expect_parent(found: &Exchange, resource: &Value, parent: &str) -> Checked {
    let scope = &resource["namespaced"];
    let known = api_resources::resources(found).find(|known| known["name"] == parent);
    let same = known.is_some_and(|known| known["namespaced"] == *scope);
    let expected = format!("the resource {parent}, namespaced: {scope}, for {}", resource["name"]);
    found.expect(same, expected, known.map_or("no such resource".to_owned(), ToString::to_string))
}
