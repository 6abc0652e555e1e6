//! `CustomResourceDefinitions`: conversion into served resource types.

mod ownership;
mod patterns;
mod structure;
mod validation;

use serde_json::{Value, json};

use crate::discovery::order;
use crate::metadata::now;
use crate::resource_type::{Custom, ResourceType, VERBS};

pub(crate) use self::validation::validate;

/// The collection of definitions.
pub(crate) const DEFINITIONS: &str = "customresourcedefinitions.apiextensions.k8s.io";

/// The finalizer of definitions with objects.
pub(crate) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// The group and plural of the defined resource.
pub(crate) fn place(crd: &Value) -> (String, String) {
    let spec = &crd["spec"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&spec["group"]), text(&spec["names"]["plural"]))
}

/// Sets the defaults of names and conversion.
pub(crate) fn complete(crd: &mut Value) {
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap_or_default().to_owned();
    let names = &mut crd["spec"]["names"];
    if names.is_object() {
        if names["singular"].as_str().unwrap_or_default().is_empty() {
            names["singular"] = kind.to_lowercase().into();
        }
        if names["listKind"].as_str().unwrap_or_default().is_empty() {
            names["listKind"] = format!("{kind}List").into();
        }
    }
    if crd["spec"].is_object() && crd["spec"].get("conversion").is_none() {
        crd["spec"]["conversion"] = json!({"strategy": "None"});
    }
    if crd["spec"]["preserveUnknownFields"] == false
        && let Some(spec) = crd["spec"].as_object_mut()
    {
        spec.shift_remove("preserveUnknownFields");
    }
}

/// Sets the initial status of a definition.
pub(crate) fn begin(crd: &mut Value) {
    let stored: Vec<_> = versions(crd)
        .filter(|version| version["storage"] == true)
        .map(|version| version["name"].clone())
        .collect();
    crd["status"] =
        json!({"conditions": null, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": stored});
}

/// Sets the status of a definition with accepted names, and its finalizer.
pub(crate) fn establish(crd: &mut Value) {
    let condition = |kind: &str, reason: &str, message: &str| {
        json!({
            "type": kind, "status": "True", "lastTransitionTime": now(), "reason": reason, "message": message,
        })
    };
    crd["status"]["conditions"] = json!([
        condition("NamesAccepted", "NoConflicts", "no conflicts found"),
        condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
    ]);
    crd["status"]["acceptedNames"] = crd["spec"]["names"].clone();
    crd["metadata"]["finalizers"] = json!([CLEANUP]);
    crate::metadata::tidy(crd);
}

/// Sets the status of a definition whose objects are being deleted.
pub(crate) fn terminate(crd: &mut Value) {
    let message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
    let condition = json!({
        "type": "Terminating", "status": "True", "lastTransitionTime": now(),
        "reason": "InstanceDeletionPending", "message": message,
    });
    let conditions = crd["status"]["conditions"].as_array_mut();
    if let Some(conditions) = conditions.filter(|all| all.iter().all(|one| one["type"] != "Terminating")) {
        conditions.push(condition);
    }
}

/// Whether the definition's names are accepted and its types served.
pub(crate) fn is_established(crd: &Value) -> bool {
    let conditions = crd["status"]["conditions"].as_array().into_iter().flatten();
    conditions
        .into_iter()
        .any(|condition| condition["type"] == "Established" && condition["status"] == "True")
}

/// The served types of a definition, one per version.
pub(crate) fn served(crd: &Value) -> Vec<ResourceType> {
    if !is_established(crd) {
        return Vec::new();
    }
    let storage =
        versions(crd).find(|version| version["storage"] == true).map(|version| version["name"].clone());
    let storage = storage.as_ref().and_then(Value::as_str).unwrap_or_default();
    versions(crd)
        .filter(|version| version["served"] == true)
        .map(|version| resource_type(crd, version, storage))
        .collect()
}

fn resource_type(crd: &Value, version: &Value, storage: &str) -> ResourceType {
    let names = &crd["spec"]["names"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let texts = |value: &Value| value.as_array().into_iter().flatten().map(text).collect();
    let (group, plural) = place(crd);
    let subresources = version["subresources"].as_object().into_iter().flat_map(|map| map.keys());
    ResourceType {
        subresources: subresources.cloned().collect(),
        custom: Some(custom(crd, version, storage)),
        version: text(&version["name"]),
        singular: text(&names["singular"]),
        kind: text(&names["kind"]),
        list_kind: text(&names["listKind"]),
        namespaced: crd["spec"]["scope"] == "Namespaced",
        short_names: texts(&names["shortNames"]),
        categories: texts(&names["categories"]),
        verbs: VERBS,
        group,
        plural,
    }
}

fn custom(crd: &Value, version: &Value, storage: &str) -> Custom {
    let (group, _) = place(crd);
    let name = version["name"].as_str().unwrap_or_default();
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap_or_default();
    let warning = (version["deprecated"] == true).then(|| {
        let custom_warning = version["deprecationWarning"].as_str().map(str::to_owned);
        custom_warning.unwrap_or_else(|| {
            let successor = successor(crd, name).map(|newer| format!("; use {group}/{newer} {kind}"));
            format!("{group}/{name} {kind} is deprecated{}", successor.unwrap_or_default())
        })
    });
    Custom {
        schema: version["schema"]["openAPIV3Schema"].clone(),
        versions: versions(crd)
            .map(|version| (version["name"].as_str().unwrap_or_default().to_owned(), version.clone()))
            .collect(),
        columns: version["additionalPrinterColumns"].as_array().cloned().unwrap_or_default(),
        scale: version["subresources"].get("scale").cloned(),
        selectable: version["selectableFields"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|field| field["jsonPath"].as_str().map(str::to_owned))
            .collect(),
        storage_version: storage.to_owned(),
        warning,
    }
}

/// The preferred one of the served versions that are preferred to a deprecated one, and not deprecated themselves.
fn successor<'a>(crd: &'a Value, deprecated: &str) -> Option<&'a str> {
    let current = versions(crd).filter(|version| version["served"] == true && version["deprecated"] != true);
    let names = current.filter_map(|version| version["name"].as_str());
    names.filter(|name| order(name) > order(deprecated)).max_by_key(|name| order(name))
}

fn versions(crd: &Value) -> impl Iterator<Item = &Value> {
    crd["spec"]["versions"].as_array().into_iter().flatten()
}
