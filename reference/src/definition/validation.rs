//! Validation of definitions.

use serde_json::Value;

use super::{ownership, patterns, place, structure, versions};
use crate::cel::deviation::{Check, Deviations};
use crate::cel::rules::definition_errors;
use crate::failure::Cause;
use crate::metadata::text;
use crate::validation as rules;

/// The validation errors of a definition.
pub(crate) fn validate(crd: &Value, current: Option<&Value>, deviations: &Deviations) -> Vec<Cause> {
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
        if let Some(detail) = rules::label_of_1035(name) {
            causes.push(Cause::invalid(format!("spec.versions[{index}].name"), &name.into(), &detail));
        }
        causes.extend(warning_error(version, &format!("spec.versions[{index}].deprecationWarning")));
        if !version["schema"]["openAPIV3Schema"].is_object() {
            causes.push(Cause::required(format!("spec.versions[{index}].schema.openAPIV3Schema"), ""));
        }
    }
    let invalid = schema_errors(crd, &mut errors_of_schema);
    if invalid.is_empty() {
        causes.extend(rule_errors(crd, current, deviations));
    }
    causes.extend(invalid);
    causes.extend(column_errors(crd));
    causes.extend(conversion_errors(&spec["conversion"]));
    if spec["preserveUnknownFields"] == true {
        let detail = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
        causes.push(Cause::invalid("spec.preserveUnknownFields", &true.into(), detail));
    }
    causes
}

/// Only deprecated versions have a warning, of printable characters.
fn warning_error(version: &Value, field: &str) -> Option<Cause> {
    let warning = version["deprecationWarning"].as_str()?;
    if version["deprecated"] != true {
        return Some(Cause::invalid(field, &warning.into(), "can only be set for deprecated versions"));
    }
    let index = warning.find(char::is_control)?;
    let detail = format!(
        "must only contain printable UTF-8 characters; non-printable character found at index {index}"
    );
    Some(Cause::invalid(field, &warning.into(), &detail))
}

/// A webhook needs its client, and the versions of reviews that it knows. The errors have the names of before v1.
fn conversion_errors(conversion: &Value) -> Vec<Cause> {
    let webhook = &conversion["webhook"];
    let mut causes = Vec::new();
    if conversion["strategy"] == "Webhook" {
        if !webhook["clientConfig"].is_object() {
            let detail = "required when strategy is set to Webhook";
            causes.push(Cause::required("spec.conversion.webhookClientConfig", detail));
        }
        if webhook["conversionReviewVersions"].as_array().is_none_or(Vec::is_empty) {
            causes.push(Cause::required("spec.conversion.conversionReviewVersions", ""));
        }
    }
    causes
}

/// A printer column needs a path, whose name in errors is that of before v1.
fn column_errors(crd: &Value) -> Vec<Cause> {
    let columns = versions(crd)
        .flat_map(|version| version["additionalPrinterColumns"].as_array().into_iter().flatten().enumerate());
    let errors = columns.filter(|(_, column)| column["jsonPath"].as_str().unwrap_or_default().is_empty());
    errors
        .map(|(index, _)| Cause::required(format!("spec.additionalPrinterColumns[{index}].JSONPath"), ""))
        .collect()
}

/// Errors in a schema that all versions share name the schema of the definition.
fn schema_errors(crd: &Value, errors: &mut dyn FnMut(&Value, &str) -> Vec<Cause>) -> Vec<Cause> {
    let schemas: Vec<&Value> = versions(crd).map(|version| &version["schema"]["openAPIV3Schema"]).collect();
    if let Some(first) = schemas.first().filter(|first| schemas.iter().all(|schema| schema == *first)) {
        return errors(first, "spec.validation.openAPIV3Schema");
    }
    let each = schemas.iter().enumerate();
    each.flat_map(|(index, schema)| errors(schema, &format!("spec.versions[{index}].schema.openAPIV3Schema")))
        .collect()
}

/// The errors in the validation rules. Those of a schema that an update leaves as it was are not checked again.
fn rule_errors(crd: &Value, current: Option<&Value>, deviations: &Deviations) -> Vec<Cause> {
    let known: Vec<&Value> =
        current.into_iter().flat_map(versions).map(|version| &version["schema"]).collect();
    let unlimited = current.is_some() && deviations.checks_skipped(Check::CostOfUpdates);
    schema_errors(crd, &mut |schema, path| {
        let is_known = known.iter().any(|known| known["openAPIV3Schema"] == *schema);
        if is_known || unlimited { Vec::new() } else { definition_errors(schema, path, deviations) }
    })
}

/// The errors in the types of a schema, in its patterns, and in its list and map types.
fn errors_of_schema(schema: &Value, path: &str) -> Vec<Cause> {
    if schema.is_null() {
        return Vec::new();
    }
    [structure::errors(schema, path), patterns::errors(schema, path), ownership::errors(schema, path)]
        .concat()
}

/// The annotation that approves definitions in groups of the Kubernetes project.
const APPROVAL: &str = "api-approved.kubernetes.io";

fn group_error(crd: &Value, group: &str) -> Option<Cause> {
    let protected = [".k8s.io", ".kubernetes.io"].iter().any(|own| group.ends_with(own));
    if group.is_empty() {
        return None;
    }
    if let Some(detail) = rules::subdomain(group) {
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
        } else if let Some(detail) = rules::subdomain(&name.to_lowercase()) {
            causes.push(Cause::invalid(format!("spec.names.{field}"), &name.into(), &detail));
        }
    }
    causes
}
