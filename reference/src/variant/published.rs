//! Edits of the documents that publish what a server serves: discovery, in its plain and its aggregated form, and `OpenAPI`.

use serde_json::Value;

/// Keeps these groups in a list of groups.
pub(super) fn retain_groups(document: &mut Value, is_served: impl Fn(&str) -> bool) {
    retain(document, ["/groups", "/items"], |group| {
        let name = group["name"].as_str().or(group["metadata"]["name"].as_str());
        name.is_none_or(&is_served)
    });
}

/// Keeps these types, with their subresources, in the core group. In the aggregated form, it has one version.
pub(super) fn retain_core_types(document: &mut Value, is_served: impl Fn(&str) -> bool) {
    retain(document, ["/resources", "/items/0/versions/0/resources"], |resource| {
        let name = resource["name"].as_str().or(resource["resource"].as_str());
        name.and_then(|name| name.split('/').next()).is_none_or(&is_served)
    });
}

/// Keeps these paths in an `OpenAPI` document, or in the list of them.
pub(super) fn retain_paths(document: &mut Value, is_served: impl Fn(&str) -> bool) {
    if let Some(paths) = document["paths"].as_object_mut() {
        paths.retain(|path, _| is_served(path));
    }
}

fn retain(document: &mut Value, places: [&str; 2], is_served: impl Fn(&Value) -> bool) {
    for place in places {
        if let Some(listed) = document.pointer_mut(place).and_then(Value::as_array_mut) {
            listed.retain(&is_served);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn groups_and_types_are_removed_from_both_forms() {
        let mut groups = json!({ "groups": [{ "name": "apps" }, { "name": "example.com" }] });
        retain_groups(&mut groups, |group| group != "apps");
        assert_eq!(groups, json!({ "groups": [{ "name": "example.com" }] }));

        let mut aggregated = json!({ "items": [{ "metadata": { "name": "apps" } }, { "metadata": { "name": "example.com" } }] });
        retain_groups(&mut aggregated, |group| group != "apps");
        assert_eq!(aggregated, json!({ "items": [{ "metadata": { "name": "example.com" } }] }));

        let mut types = json!({ "resources": [{ "name": "pods/log" }, { "name": "secrets" }, { "name": "namespaces/status" }] });
        retain_core_types(&mut types, |plural| plural != "pods");
        assert_eq!(types, json!({ "resources": [{ "name": "secrets" }, { "name": "namespaces/status" }] }));

        let core =
            |types: Value| json!({ "items": [{ "metadata": {}, "versions": [{ "resources": types }] }] });
        let mut aggregated = core(json!([{ "resource": "pods" }, { "resource": "configmaps" }]));
        retain_core_types(&mut aggregated, |plural| plural != "pods");
        assert_eq!(aggregated, core(json!([{ "resource": "configmaps" }])));
    }
}
