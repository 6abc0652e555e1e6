//! What the server publishes of its kinds: lists, and kinds that belong to every group.

use std::collections::BTreeSet;

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
    for document in openapi::documents(&cx).await? {
        for (name, schema) in openapi::schemas(&document) {
            let listed = |kind: &GroupKind| kind.is_of_the_project() && is_list(kind);
            if !openapi::kinds(schema).iter().any(listed) {
                continue;
            }
            let (items, required) = (&schema["properties"]["items"], &schema["required"]);
            let needed = required.as_array().is_some_and(|names| names.iter().any(|name| name == "items"));
            let expected = format!("{name} with items, an array that is required");
            let actual = format!("items of type {}, required: {required}", items["type"]);
            document.expect(items["type"] == "array" && needed, expected, actual)?;
        }
    }
    Ok(())
}

async fn what_has_items_is_a_list(cx: Context) -> Result<(), Halt> {
    for document in openapi::documents(&cx).await? {
        for (name, schema) in openapi::schemas(&document) {
            let kinds = openapi::kinds(schema);
            let own = kinds.iter().any(GroupKind::is_of_the_project);
            if own && !schema["properties"]["items"].is_null() {
                let lists = kinds.iter().all(|kind| kind.kind.ends_with("List"));
                let expected = format!("no items in {name}, which is no list");
                document.expect(lists, expected, schema["properties"]["items"].to_string())?;
            }
        }
    }
    Ok(())
}

async fn some_kinds_are_of_every_group(cx: Context) -> Result<(), Halt> {
    let documents = openapi::documents(&cx).await?;
    let all = documents.iter().flat_map(|document| openapi::schemas(document));
    let published: BTreeSet<GroupKind> = all.flat_map(|(_, schema)| openapi::kinds(schema)).collect();

    let of = |group: &str, kind: &str| GroupKind {
        group: group.to_owned(),
        version: "v1".to_owned(),
        kind: kind.to_owned(),
    };
    let apps = published.contains(&of("apps", "Deployment"));
    let groups = if apps { vec!["", "apps"] } else { vec![""] };
    for group in groups {
        for kind in ["DeleteOptions", "WatchEvent"] {
            let expected = format!("a schema of {kind} that is one of {group:?} v1");
            let there = published.contains(&of(group, kind));
            let last = documents.last().map(|document| document.index);
            if !there {
                return Err(cx.failed(expected, "none", last));
            }
        }
    }
    Ok(())
}
