//! Kinds in the published `OpenAPI` documents.

use crate::openapi::{GroupKind, Published};
use crate::prelude::*;

rows![
    kinds_list_schema_items_required.own_kinds().read_only(),
    kinds_items_implies_list.own_kinds().read_only(),
    kinds_meta_types_belong_to_each_group.own_kinds().read_only(),
];

/// Kinds of discovery that end in List.
const OF_DISCOVERY: [&str; 2] = ["APIGroupList", "APIResourceList"];

fn is_list(kind: &GroupKind) -> bool {
    kind.kind.ends_with("List") && !OF_DISCOVERY.contains(&kind.kind.as_str())
}

async fn kinds_list_schema_items_required(published: Published) -> Checked {
    for list in published.definitions_of_kinds(is_list) {
        let ty = list.property("items").map_or("none", |items| items["type"].as_str().unwrap_or_default());
        let actual = format!("items of type {ty}, required: {}", list.schema["required"]);
        list.expect(ty == "array" && list.requires("items"), "items: a required array", &actual)?;
    }
    Ok(())
}

async fn kinds_items_implies_list(published: Published) -> Checked {
    for definition in published.definitions_of_kinds(|_| true) {
        if let Some(items) = definition.property("items") {
            let lists = definition.kinds().iter().all(|kind| kind.kind.ends_with("List"));
            definition.expect(lists, "no items in a kind that is no list", &items.to_string())?;
        }
    }
    Ok(())
}

async fn kinds_meta_types_belong_to_each_group(cx: Context, published: Published) -> Checked {
    let known = |group: &str, kind: &str| {
        let is_it = |known: &GroupKind| known.group == group && known.version == "v1" && known.kind == kind;
        published.definitions_of_kinds(is_it).next().is_some()
    };

    let groups = if known("apps", "Deployment") { vec!["", "apps"] } else { vec![""] };
    for group in groups {
        for kind in ["DeleteOptions", "WatchEvent"] {
            if !known(group, kind) {
                let expected = format!("a schema of {kind} in {group:?} v1");
                return Err(cx.failed(expected, "no such schema", published.last()));
            }
        }
    }
    Ok(())
}
