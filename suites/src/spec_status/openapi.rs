//! Spec, status and conditions in the published `OpenAPI` documents.

use std::collections::BTreeSet;

use crate::openapi::{Definition, Published};
use crate::prelude::*;

rows![
    spec_status_status_endpoint_provided.own_kinds().read_only(),
    spec_status_no_other_top_level_fields.own_kinds().read_only(),
    spec_status_conditions_are_lists.own_kinds().read_only(),
    spec_status_condition_schema_type_status.own_kinds().read_only(),
    spec_status_condition_list_map_key.own_kinds().read_only(),
    spec_status_condition_standard_schema.own_kinds().read_only(),
    spec_status_phase_deprecated.own_kinds().read_only(),
];

async fn spec_status_status_endpoint_provided(cx: Context, published: Published) -> Checked {
    for definition in published.definitions() {
        if definition.property("status").is_some() {
            for kind in definition.schema["x-kubernetes-group-version-kind"].as_array().into_iter().flatten()
            {
                expect_status_endpoint(&cx, kind).await?;
            }
        }
    }
    Ok(())
}

/// Discovery lists a status subresource for each type of this kind with the verb update.
async fn expect_status_endpoint(cx: &Context, kind: &Value) -> Checked {
    let text = |field: &str| kind[field].as_str().unwrap_or_default();
    let root = match text("group") {
        "" => format!("/api/{}", text("version")),
        group => format!("/apis/{group}/{}", text("version")),
    };
    let discovered = cx.send(Request::get(root)).await?;
    let resources = discovered.json().and_then(|json| json["resources"].as_array());
    let resources: Vec<_> = resources.into_iter().flatten().collect();
    let updated = |entry: &&&Value| entry["kind"] == kind["kind"] && can(entry, &["get", "update"]);
    for entry in resources.iter().filter(updated) {
        let name = entry["name"].as_str().unwrap_or_default();
        if name.contains('/') {
            continue;
        }
        let status = resources.iter().find(|entry| entry["name"] == format!("{name}/status"));
        let complete = status.is_some_and(|status| can(status, &["get", "patch", "update"]));
        let verbs = status.map_or_else(|| "none".to_owned(), |status| status["verbs"].to_string());
        discovered.expect(complete, format!("{name}/status with get, patch and update"), verbs)?;
    }
    Ok(())
}

fn can(entry: &Value, verbs: &[&str]) -> bool {
    let known = entry["verbs"].as_array();
    known.is_some_and(|known| verbs.iter().all(|verb| known.iter().any(|one| one == verb)))
}

const ENVELOPE: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];

async fn spec_status_no_other_top_level_fields(published: Published) -> Checked {
    for definition in published.definitions() {
        let fields = definition.properties();
        if fields.contains("spec") && fields.contains("status") {
            let others: Vec<_> = fields.iter().filter(|field| !ENVELOPE.contains(field)).collect();
            let expected = "no top-level fields besides spec and status";
            definition.expect(others.is_empty(), expected, &format!("{others:?}"))?;
        }
    }
    Ok(())
}

/// The definitions with conditions, and the schemas of the conditions.
///
/// Without the endpoints of an `EndpointSlice`, whose conditions are an object.
fn conditions(published: &Published) -> Vec<(Definition<'_>, &Value)> {
    let all = published.definitions().into_iter();
    let with = all.filter_map(|definition| Some((definition, definition.property("conditions")?)));
    with.filter(|(definition, _)| definition.kind() != "Endpoint").collect()
}

/// The schema of one condition.
fn item<'a>(definition: &Definition<'a>, conditions: &'a Value) -> Definition<'a> {
    definition.follow(&conditions["items"])
}

async fn spec_status_conditions_are_lists(published: Published) -> Checked {
    for (definition, conditions) in conditions(&published) {
        let list = conditions["type"] == "array" && !item(&definition, conditions).properties().is_empty();
        definition.expect(list, "conditions as a list of objects", &conditions.to_string())?;
    }
    Ok(())
}

/// Whether the fields are required is noted only: from 1.37 on, kube-apiserver requires them in ever fewer schemas.
async fn spec_status_condition_schema_type_status(cx: Context, published: Published) -> Checked {
    let mut optional = BTreeSet::new();

    for (definition, conditions) in conditions(&published) {
        let item = item(&definition, conditions);
        for field in ["type", "status"] {
            let schema = item.property(field).cloned().unwrap_or_default();
            let expected = format!("{field}, a string");
            item.expect(schema["type"] == "string", &expected, &schema.to_string())?;
            if !item.requires(field) {
                optional.insert(format!("{field} of {}", item.kind()));
            }
        }
    }
    if !optional.is_empty() {
        let optional: Vec<_> = optional.into_iter().collect();
        cx.note(format!("not required, as on newer kube-apiservers: {}", optional.join(", ")));
    }
    Ok(())
}

fn is_map_by_type(conditions: &Value) -> bool {
    conditions["x-kubernetes-list-type"] == "map"
        && conditions["x-kubernetes-list-map-keys"] == serde_json::json!(["type"])
}

async fn spec_status_condition_list_map_key(published: Published) -> Checked {
    for (definition, conditions) in conditions(&published) {
        // Older types have only the merge key of strategic merge patches.
        let merged = conditions["x-kubernetes-patch-merge-key"] == "type";
        let map = is_map_by_type(conditions) || merged;
        definition.expect(map, "conditions as a list map with the key type", &conditions.to_string())?;
    }
    Ok(())
}

/// Without the message, which kube-apiserver requires up to 1.37.
const REQUIRED: [&str; 4] = ["type", "status", "lastTransitionTime", "reason"];

async fn spec_status_condition_standard_schema(published: Published) -> Checked {
    let all = published.definitions();
    let common = all.iter().find(|definition| definition.name.ends_with(".meta.v1.Condition"));
    let Some(common) = common else {
        return Err(Halt::skip("no type of this server has meta.v1.Condition"));
    };

    for field in REQUIRED {
        let required = common.schema["required"].to_string();
        common.expect(common.requires(field), &format!("{field} among the required fields"), &required)?;
    }
    let message = common.property("message").cloned().unwrap_or_default();
    common.expect(message["type"] == "string", "message, a string", &message.to_string())?;
    Ok(())
}

/// The types with a phase from before the convention.
const WITH_A_PHASE: [&str; 5] =
    ["NamespaceStatus", "NodeStatus", "PersistentVolumeClaimStatus", "PersistentVolumeStatus", "PodStatus"];

async fn spec_status_phase_deprecated(published: Published) -> Checked {
    for definition in published.definitions() {
        let none = definition.property("phase").is_none() || WITH_A_PHASE.contains(&definition.kind());
        definition.expect(none, "no phase", "one")?;
    }
    Ok(())
}
