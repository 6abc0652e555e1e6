//! Types in discovery, and their paths.

use crate::api_resources;
use crate::prelude::*;

rows![
    resource_uris_resource_type_in_url.own_kinds().read_only(),
    resource_uris_kind_for_every_type,
    resource_uris_standard_verbs_supported.own_kinds(),
];

async fn resource_uris_resource_type_in_url(cx: Context) -> Checked {
    let types = api_resources::built_in(&cx).await?;
    let lists = api_resources::ask_about(&cx, types, |ty| Request::get(ty.path()).query("limit", 1)).await?;
    Halt::skip_unless(!lists.is_empty(), "no built-in type can be listed")?;

    for (ty, listed) in &lists {
        let served = ![404, 405].contains(&listed.status());
        listed.expect(served, format!("a list at {}, as in discovery", ty.path()), listed.brief())?;
    }
    Ok(())
}

async fn resource_uris_kind_for_every_type(cx: Context, stored: StoredObject) -> Checked {
    cx.require_feature("Discovery", !cx.target_info().groups.is_empty(), "it lists no groups")?;
    let (found, entry) = api_resources::discovered_type(&cx, stored.collection.resource()).await?;
    for resource in api_resources::resources(&found) {
        let has_kind = resource["kind"].as_str().is_some_and(|kind| !kind.is_empty());
        found.expect(has_kind, format!("a kind of {}", resource["name"]), resource.to_string())?;
    }

    let got = stored.get().await?;

    let (expected, actual) = (&entry["kind"], got.object()?.json()["kind"].clone());
    got.expect(actual == *expected, format!("the kind {expected}, as in discovery"), actual.to_string())
}

const STANDARD: [&str; 6] = ["get", "list", "create", "update", "patch", "delete"];

/// Of custom resources: some built-in types support fewer verbs.
async fn resource_uris_standard_verbs_supported(
    cx: Context,
    CustomResources(gadgets): CustomResources,
) -> Checked {
    let (found, entry) = api_resources::discovered_type(&cx, gadgets.resource()).await?;

    let verbs = entry["verbs"].as_array();
    let can = |verb: &&str| verbs.is_some_and(|verbs| verbs.iter().any(|known| known == verb));
    let expected = format!("the verbs {}", STANDARD.join(", "));
    found.expect(STANDARD.iter().all(can), expected, entry["verbs"].to_string())
}
