//! `CustomResourceDefinitions`: conversion into served resource types.

mod ownership;

use serde_json::{Value, json};

use crate::failure::Cause;
use crate::metadata::{now, text};
use crate::resource_type::{Custom, ResourceType, VERBS};
use crate::validation;

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

/// The validation errors of a definition.
pub(crate) fn validate(crd: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let spec = &crd["spec"];
    let (group, plural) = place(crd);
    if text(crd, "name") != format!("{plural}.{group}") {
        let name = text(crd, "name").into();
        causes.push(Cause::invalid("metadata.name", &name, "must be spec.names.plural+\".\"+spec.group"));
    }
    for (field, value) in [("spec.group", &spec["group"]), ("spec.scope", &spec["scope"])] {
        if value.as_str().unwrap_or_default().is_empty() {
            causes.push(Cause::required(field, ""));
        }
    }
    causes.extend(group_error(crd, &group));
    causes.extend(name_errors(&spec["names"]));
    if versions(crd).filter(|version| version["storage"] == true).count() != 1 {
        let detail = "must have exactly one version marked as storage version";
        causes.push(Cause::invalid("spec.versions", &spec["versions"], detail));
    }
    for (index, version) in versions(crd).enumerate() {
        let name = version["name"].as_str().unwrap_or_default();
        if let Some(detail) = validation::label_of_1035(name) {
            causes.push(Cause::invalid(format!("spec.versions[{index}].name"), &name.into(), &detail));
        }
        if !version["schema"]["openAPIV3Schema"].is_object() {
            causes.push(Cause::required(format!("spec.versions[{index}].schema.openAPIV3Schema"), ""));
        }
    }
    causes.extend(schema_errors(crd));
    causes
}

/// Errors in a schema that all versions share name the schema of the definition.
fn schema_errors(crd: &Value) -> Vec<Cause> {
    let schemas: Vec<&Value> = versions(crd).map(|version| &version["schema"]["openAPIV3Schema"]).collect();
    if let Some(first) = schemas.first().filter(|first| schemas.iter().all(|schema| schema == *first)) {
        return ownership::errors(first, "spec.validation.openAPIV3Schema");
    }
    let each = schemas.iter().enumerate();
    each.flat_map(|(index, schema)| {
        ownership::errors(schema, &format!("spec.versions[{index}].schema.openAPIV3Schema"))
    })
    .collect()
}

/// The annotation that approves definitions in groups of the Kubernetes project.
const APPROVAL: &str = "api-approved.kubernetes.io";

fn group_error(crd: &Value, group: &str) -> Option<Cause> {
    let protected = [".k8s.io", ".kubernetes.io"].iter().any(|own| group.ends_with(own));
    if group.is_empty() {
        return None;
    }
    if let Some(detail) = validation::subdomain(group) {
        return Some(Cause::invalid("spec.group", &group.into(), &detail));
    }
    if !group.contains('.') {
        return Some(Cause::invalid("spec.group", &group.into(), "should be a domain with at least one dot"));
    }
    let approved = crd["metadata"]["annotations"][APPROVAL].is_string();
    let detail = format!("protected groups must have approval annotation {APPROVAL:?}");
    (protected && !approved).then(|| Cause::required(format!("metadata.annotations[{APPROVAL}]"), &detail))
}

fn name_errors(names: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    for field in ["plural", "kind"] {
        let name = names[field].as_str().unwrap_or_default();
        if name.is_empty() {
            causes.push(Cause::required(format!("spec.names.{field}"), ""));
        } else if let Some(detail) = validation::subdomain(&name.to_lowercase()) {
            causes.push(Cause::invalid(format!("spec.names.{field}"), &name.into(), &detail));
        }
    }
    causes
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
        custom_warning.unwrap_or_else(|| format!("{group}/{name} {kind} is deprecated"))
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

fn versions(crd: &Value) -> impl Iterator<Item = &Value> {
    crd["spec"]["versions"].as_array().into_iter().flatten()
}
