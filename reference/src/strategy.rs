//! Write strategies per type: defaults, immutable fields and validation.

mod apps;
mod certificate;
mod config;
mod controller;
mod defaults;
mod finalizers;
mod ingress;
mod policy;
mod quota;
mod role;
pub(crate) mod selector;
mod service;
mod update;
mod volume;
mod webhook;
mod workload;

use serde_json::{Value, json};

use crate::admission::expressions;
use crate::cel::deviation::{Check, Deviation, Deviations};
use crate::cel::rules;
use crate::failure::{Cause, Failure};
use crate::resource_type::{Custom, ResourceType};
use crate::route::Verb;
use crate::{definition, event, managed_fields, metadata, schema, validation};

/// The part of an object that an update changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Everything without its own subresource.
    Main,
    Status,
    /// The conditions of a certificate signing request that approve or deny it.
    Approval,
    /// The finalizers in a namespace's spec.
    Finalize,
}

impl Part {
    /// The part that a subresource changes.
    pub(crate) fn of(subresource: &str) -> Self {
        match subresource {
            "approval" => Self::Approval,
            "status" => Self::Status,
            "finalize" => Self::Finalize,
            _ => Self::Main,
        }
    }

    /// The subresource of the part; empty for the object itself.
    pub(crate) fn subresource(self) -> &'static str {
        match self {
            Self::Main => "",
            Self::Status => "status",
            Self::Approval => "approval",
            Self::Finalize => "finalize",
        }
    }
}

/// The warnings about a written object.
pub(crate) fn warnings(ty: &ResourceType, verb: Verb, object: &Value) -> Vec<String> {
    let deprecated = |applies: bool, text: &str| if applies { vec![text.to_owned()] } else { Vec::new() };
    match ty.plural.as_str() {
        _ if ty.custom.is_some() && verb == Verb::Create => finalizers::unqualified(object),
        _ if ty.custom.is_some() => Vec::new(),
        "endpointslices" => {
            deprecated(object["addressType"] == "FQDN", "spec.addressType: FQDN endpoints are deprecated")
        }
        "persistentvolumes" => deprecated(
            object["spec"]["persistentVolumeReclaimPolicy"] == "Recycle",
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended \
             approach is to use dynamic provisioning.",
        ),
        _ => Vec::new(),
    }
}

/// Completes and validates a new object.
pub(crate) fn create(ty: &ResourceType, object: &mut Value, deviations: &Deviations) -> Result<(), Failure> {
    match ty.plural.as_str() {
        _ if ty.custom.is_some() => {}
        "namespaces" => {
            object["spec"]["finalizers"] = json!(["kubernetes"]);
            object["status"] = json!({"phase": "Active"});
        }
        "apiservices" | "deployments" => object["status"] = json!({}),
        "horizontalpodautoscalers" => crate::autoscaling::begin(object),
        "jobs" => controller::begin_job(object),
        "poddisruptionbudgets" => {
            object["status"] =
                json!({"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0});
        }
        "replicationcontrollers" => object["status"] = json!({"replicas": 0}),
        "persistentvolumes" | "pods" => object["status"] = json!({"phase": "Pending"}),
        _ => {}
    }
    if ty.custom.is_some() && ty.has_status() {
        remove(object, "status");
    }
    complete(ty, object)?;
    if ty.is_built_in("customresourcedefinitions") {
        definition::begin(object);
    }
    metadata::tidy(object);
    let causes = if ty.is_built_in("events") { event::creation_errors(ty, object) } else { Vec::new() };
    validate(ty, object, None, deviations, causes)
}

/// Completes and validates an update of a part. The other parts keep their values.
pub(crate) fn update(
    ty: &ResourceType,
    part: Part,
    current: &Value,
    object: &mut Value,
    deviations: &Deviations,
) -> Result<(), Failure> {
    let entries = managed_fields::take_entries(object);
    keep_other_parts(ty, part, current, object);
    let requested = object["metadata"].clone();
    managed_fields::set_entries(object, entries);
    if part == Part::Main && ty.is_built_in("services") {
        service::update(current, object);
    }
    metadata::keep_system_fields(current, object);
    complete(ty, object)?;
    if part == Part::Main {
        if ty.is_built_in("daemonsets") {
            apps::count_template(current, object);
        }
        update::count_generation(ty, current, object);
    }
    metadata::tidy(object);
    let mut causes = update::metadata(current, &requested);
    causes.extend(update::immutable_errors(ty, current, object));
    if part == Part::Status && deviations.checks_skipped(Check::StatusRules) {
        let without_rules = Deviations(vec![Deviation::Skips(Check::Enforcement)]);
        return validate(ty, object, Some(current), &without_rules, causes);
    }
    validate(ty, object, Some(current), deviations, causes)
}

/// Sets the defaults. Fails if those of a custom type are too large.
pub(crate) fn complete(ty: &ResourceType, object: &mut Value) -> Result<(), Failure> {
    if let Some(custom) = &ty.custom {
        return schema::complete(custom, object);
    }
    match ty.plural.as_str() {
        "clusterroles" | "roles" => role::complete(object),
        "certificatesigningrequests" => certificate::complete(object),
        "customresourcedefinitions" => definition::complete(object),
        "daemonsets" | "replicasets" | "statefulsets" => apps::complete(ty, object),
        "deployments" => workload::complete_deployment(object),
        "endpointslices" => defaults::complete_endpoint_slice(object),
        "horizontalpodautoscalers" => crate::autoscaling::complete(object),
        "ingresses" => ingress::complete(object),
        "jobs" => controller::complete_job(object),
        "leases" if object["spec"].is_null() => object["spec"] = json!({}),
        "namespaces" => {
            let name = metadata::text(object, "name").to_owned();
            object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name.into();
        }
        "persistentvolumes" => volume::complete(object),
        "validatingadmissionpolicies" => policy::complete(object),
        "validatingadmissionpolicybindings" => policy::complete_binding(object),
        "pods" => workload::complete_standalone_pod(&mut object["spec"]),
        "prioritylevelconfigurations" => defaults::complete_priority_level(object),
        "replicationcontrollers" => controller::complete_replication_controller(object),
        "secrets" => config::complete_secret(object),
        "services" => service::complete(object),
        "mutatingwebhookconfigurations" | "validatingwebhookconfigurations" => webhook::complete(object),
        _ => {}
    }
    Ok(())
}

/// Restores the other parts of the current object.
fn keep_other_parts(ty: &ResourceType, part: Part, current: &Value, object: &mut Value) {
    let whole_status = ty.custom.is_some() || ty.is_built_in("validatingadmissionpolicies");
    match part {
        Part::Main if ty.has_status() => keep(current, object, "status"),
        Part::Main => {}
        Part::Status if !whole_status => {
            keep(current, object, "spec");
            if ty.is_built_in("certificatesigningrequests") {
                certificate::keep_decisions(current, object);
            }
            let kept_field = match ty.plural.as_str() {
                "deployments" => Some("labels"),
                "pods" => Some("ownerReferences"),
                _ => None,
            };
            if let Some(field) = kept_field {
                object["metadata"][field] = current["metadata"][field].clone();
            }
            if object["status"].is_null() {
                object["status"] = json!({});
            }
        }
        Part::Approval => certificate::approve(current, object),
        Part::Status => *object = with_part(current, object, "status"),
        Part::Finalize => {
            let finalizers = object["spec"]["finalizers"].take();
            *object = current.clone();
            object["spec"]["finalizers"] = finalizers;
        }
    }
    if part == Part::Main && ty.is_built_in("namespaces") {
        keep(current, object, "spec");
    }
}

fn with_part(current: &Value, object: &mut Value, part: &str) -> Value {
    let mut merged = current.clone();
    match object.get_mut(part).map(Value::take) {
        Some(value) if !value.is_null() => merged[part] = value,
        _ => remove(&mut merged, part),
    }
    merged
}

fn keep(current: &Value, object: &mut Value, field: &str) {
    match current.get(field) {
        Some(value) => object[field] = value.clone(),
        None => remove(object, field),
    }
}

fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

/// Returns an error for an invalid object, or an invalid change.
fn validate(
    ty: &ResourceType,
    object: &Value,
    current: Option<&Value>,
    deviations: &Deviations,
    change: Vec<Cause>,
) -> Result<(), Failure> {
    let mut causes = change;
    causes.extend(validation::metadata(ty, &object["metadata"]));
    causes.extend(finalizers::errors(ty, &object["metadata"]["finalizers"]));
    if let Some(custom) = &ty.custom {
        let invalid = schema::validate(custom, object).into_iter();
        let is_unique = !deviations.checks_skipped(Check::UniqueEntries);
        causes.extend(invalid.filter(|cause| is_unique || !cause.is_duplicate()));
        causes.extend(crate::scale::replicas_error(custom, object));
        causes.extend(rule_errors(custom, object, current, deviations, &causes));
    } else {
        match ty.plural.as_str() {
            "certificatesigningrequests" => causes.extend(certificate::validate(object)),
            "clusterroles" | "roles" => causes.extend(role::validate(object)),
            "configmaps" | "secrets" => causes.extend(config::key_errors(object)),
            "customresourcedefinitions" => causes.extend(definition::validate(object, current, deviations)),
            "daemonsets" | "replicasets" | "statefulsets" => causes.extend(apps::validate(ty, object)),
            "deployments" => causes.extend(workload::validate_deployment(object)),
            "events" => causes.extend(event::namespace_error(object)),
            "ingresses" => causes.extend(ingress::validate(object)),
            "jobs" => causes.extend(controller::validate_job(object)),
            "pods" => causes.extend(workload::validate_pod(&object["spec"], "spec")),
            "replicationcontrollers" => causes.extend(controller::validate_replication_controller(object)),
            "resourcequotas" => causes.extend(quota::validate(object)),
            "services" => causes.extend(service::validate(object)),
            "mutatingwebhookconfigurations" | "validatingwebhookconfigurations" => {
                causes.extend(webhook::validate(object));
            }
            "validatingadmissionpolicies" => {
                causes.extend(policy::errors(object));
                causes.extend(expressions::policy_errors(object, deviations));
            }
            "validatingadmissionpolicybindings" => causes.extend(policy::binding_errors(object)),
            _ => {}
        }
    }
    match causes.as_slice() {
        [] => Ok(()),
        causes => Err(Failure::invalid(&ty.group, &ty.kind, metadata::text(object, "name"), causes)),
    }
}

/// The violations of validation rules by a custom object, unless other errors block them.
fn rule_errors(
    custom: &Custom,
    object: &Value,
    current: Option<&Value>,
    deviations: &Deviations,
    others: &[Cause],
) -> Vec<Cause> {
    if others.iter().any(Cause::blocks_rules) {
        let detail = "some validation rules were not checked because the object was invalid; correct the existing \
                      errors to complete validation";
        let unchecked =
            rules::has_rules(&custom.schema).then(|| Cause::invalid("<nil>", &Value::Null, detail));
        return unchecked.into_iter().collect();
    }
    rules::object_errors(&custom.schema, object, current, deviations)
}
