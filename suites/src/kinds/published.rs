//! What the server publishes of its kinds: lists, and kinds that belong to every group.

use harness::{Context, Halt, Suite};

use crate::openapi::{self, GroupKind};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("kinds-list-schema-items-required", the_schema_of_a_list_requires_items)
        .read_only()
        .scenario("kinds-items-implies-list", what_has_items_is_a_list)
        .read_only()
        .scenario("kinds-meta-types-belong-to-each-group", some_kinds_are_of_every_group)
        .read_only()
}

/// They end like lists, and are what discovery shows.
const OF_DISCOVERY: [&str; 2] = ["APIGroupList", "APIResourceList"];

fn is_list(kind: &GroupKind) -> bool {
    kind.kind.ends_with("List") && !OF_DISCOVERY.contains(&kind.kind.as_str())
}

async fn the_schema_of_a_list_requires_items(cx: Context) -> Result<(), Halt> {
    let published = openapi::published(&cx).await?;

    for list in published.definitions_of_kinds(is_list) {
        let ty = list.property("items").map_or("none", |items| items["type"].as_str().unwrap_or_default());
        let actual = format!("items of type {ty}, required: {}", list.schema["required"]);
        list.expect(ty == "array" && list.requires("items"), "items, an array that is required", &actual)?;
    }
    Ok(())
}

async fn what_has_items_is_a_list(cx: Context) -> Result<(), Halt> {
    let published = openapi::published(&cx).await?;

    for definition in published.definitions_of_kinds(|_| true) {
        if let Some(items) = definition.property("items") {
            let lists = definition.kinds().iter().all(|kind| kind.kind.ends_with("List"));
            definition.expect(lists, "no items in what is no list", &items.to_string())?;
        }
    }
    Ok(())
}

async fn some_kinds_are_of_every_group(cx: Context) -> Result<(), Halt> {
    let published = openapi::published(&cx).await?;
    let known = |group: &str, kind: &str| {
        let is_it = |known: &GroupKind| known.group == group && known.version == "v1" && known.kind == kind;
        published.definitions_of_kinds(is_it).next().is_some()
    };

    let groups = if known("apps", "Deployment") { vec!["", "apps"] } else { vec![""] };
    for group in groups {
        for kind in ["DeleteOptions", "WatchEvent"] {
            if !known(group, kind) {
                let expected = format!("a schema of {kind} that is one of {group:?} v1");
                return Err(cx.failed(expected, "none", published.last()));
            }
        }
    }
    Ok(())
}
