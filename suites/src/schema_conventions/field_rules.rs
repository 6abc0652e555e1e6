//! Rules that every field of every built-in kind keeps.
//!
//! The exceptions are older than the conventions, or parts of JSON Schema itself.

use super::field::{Field, is_object, is_object_field, is_time_field};
use super::field_words::{
    ends_in_other_duration, has_mixed_acronym, is_camel_case, is_constant, is_question,
};
use crate::openapi::Published;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(RULES, Kinds::Own, every_field_keeps).into_iter().map(Row::read_only).collect()
}

/// A rule for some fields.
#[derive(Clone, Copy)]
struct Rule {
    concerns: fn(&Field<'_>) -> bool,
    holds: fn(&Field<'_>) -> bool,
    expected: &'static str,
    /// `Kind` or `Kind.field`.
    exceptions: &'static [&'static str],
}

const fn rule(
    concerns: fn(&Field<'_>) -> bool,
    holds: fn(&Field<'_>) -> bool,
    expected: &'static str,
    exceptions: &'static [&'static str],
) -> Rule {
    Rule { concerns, holds, expected, exceptions }
}

#[rustfmt::skip]
const RULES: &[(&str, Rule)] = &[
    // Types.
    ("schema-conventions-no-maps-of-subobjects",
        rule(is_map, |field| !field.map_elements().is_some_and(|elements| is_object(&elements)), "a map of scalars or lists", MAPS_OF_OBJECTS)),
    ("schema-conventions-pure-maps-are-flat",
        rule(is_pure_map, |field| field.map_elements().is_some_and(|elements| elements.schema["type"] == "string"), "a map of strings", &[])),
    ("schema-conventions-no-floats",
        rule(every, |field| !field.is("number"), "no floating-point number", &["JSONSchemaProps"])),
    ("schema-conventions-no-unsigned-integers",
        rule(every, |field| !field.text("format").starts_with("uint"), "no unsigned integer", &[])),
    ("schema-conventions-integer-formats",
        rule(|field| field.text("type") == "integer", is_sized_integer, "an integer of format int32 or int64", &[])),
    ("schema-conventions-enums-are-strings",
        rule(is_enumeration, |field| field.choices().into_iter().flatten().all(Value::is_string) && has_text_values(field), "an enumeration of strings", &[])),
    ("schema-conventions-constants-camelcase",
        rule(is_enumeration, |field| field.choices().into_iter().flatten().filter_map(Value::as_str).all(is_constant), "values in CamelCase",
            // The names of RFC 5280 and of other certificates.
            &["CertificateSigningRequestSpec.usages"])),
    ("schema-conventions-durations-in-seconds",
        rule(|field| field.name.ends_with("Seconds") || is_duration(field), is_sized_integer, "an integer number of seconds", &[])),
    // References.
    ("schema-conventions-reference-by-name",
        rule(|field| field.name.ends_with("Name"), |field| field.is("string"), "a string", &[])),
    ("schema-conventions-reference-object-named-ref",
        rule(|field| field.kind().ends_with("Reference"), is_named_reference, "a name that ends in Ref, Refs or References", OTHER_REFERENCES)),
    ("schema-conventions-name-and-ref-suffix",
        rule(|field| field.name.ends_with("Ref"), is_object_field, "an object", &["ExpressionWarning.fieldRef", "ImageVolumeStatus.imageRef"])),
    // Names.
    ("schema-conventions-json-names-camelcase",
        rule(every, |field| is_camel_case(field.name), "a name in camelCase", &["DaemonEndpoint.Port", "JSONSchemaProps"])),
    ("schema-conventions-no-underscore-dash",
        rule(every, |field| !field.name.contains(['_', '-']), "a name without underscore and dash", &["JSONSchemaProps"])),
    ("schema-conventions-time-field-names",
        rule(is_time_field, |field| field.name.ends_with("Time") || field.name == "time", "a name that ends in Time", OTHER_TIMES)),
    ("schema-conventions-time-names-are-times",
        rule(|field| field.name.ends_with("Time"), is_time_field, "a time of format date-time", &[])),
    ("schema-conventions-seconds-suffix",
        rule(every, |field| !ends_in_other_duration(field.name), "a duration whose name ends in Seconds", &[])),
    ("schema-conventions-period-over-interval",
        rule(|field| field.name.ends_with("Seconds"), |field| !field.name.ends_with("IntervalSeconds"), "a name that ends in PeriodSeconds", &[])),
    ("schema-conventions-acronym-case",
        rule(every, |field| !has_mixed_acronym(field.name), "acronyms whose letters have the same case", &[])),
    ("schema-conventions-boolean-names",
        rule(|field| field.is("boolean"), |field| !is_question(field.name), "a name that does not start with is", &[])),
    // Lists.
    ("schema-conventions-list-types-declared",
        rule(|field| field.text("type") == "array" && !is_items_of_list(field), has_list_type, "x-kubernetes-list-type, and keys for a map", &["APIResource.verbs"])),
    ("schema-conventions-list-map-keys-required",
        rule(|field| field.list_map_keys().next().is_some(), has_all_keys, "list map keys that are fields of the items", &[])),
];

/// Named sub-objects that are keyed by themselves: JSON Schema, and the devices of resource.k8s.io.
const MAPS_OF_OBJECTS: &[&str] =
    &["JSONSchemaProps", "Device", "BasicDevice", "CounterSet", "DeviceCounterConsumption"];

const OTHER_REFERENCES: &[&str] = &[
    "APIServiceSpec.service",
    "Binding.target",
    "CronJobStatus.active",
    "Event.involvedObject",
    "Event.regarding",
    "Event.related",
    "FlowSchemaSpec.priorityLevelConfiguration",
    "IngressBackend.resource",
    "IngressClassSpec.parameters",
    "ObjectMetricSource.describedObject",
    "ObjectMetricStatus.describedObject",
    "PersistentVolumeClaimSpec.dataSource",
    "PodGroupTemplateReference.workload",
    "PodSpec.imagePullSecrets",
    "ResourceClaimParameters.generatedFrom",
    "ResourceClaimStatus.reservedFor",
    "ResourceClassParameters.generatedFrom",
    "ServiceAccount.imagePullSecrets",
    "ServiceAccount.secrets",
    "WebhookClientConfig.service",
];

const OTHER_TIMES: &[&str] = &[
    "AllocationResult.allocationTimestamp",
    "ContainerStateRunning.startedAt",
    "ContainerStateTerminated.finishedAt",
    "ContainerStateTerminated.startedAt",
    "DeviceTaint.timeAdded",
    "Event.deprecatedFirstTimestamp",
    "Event.deprecatedLastTimestamp",
    "Event.firstTimestamp",
    "Event.lastTimestamp",
    "ObjectMeta.creationTimestamp",
    "ObjectMeta.deletionTimestamp",
    "PodCertificateRequestStatus.beginRefreshAt",
    "PodCertificateRequestStatus.notAfter",
    "PodCertificateRequestStatus.notBefore",
    "Taint.timeAdded",
    "TokenRequestStatus.expirationTimestamp",
];

/// The maps of strings that every client knows.
const PURE_MAPS: [&str; 8] =
    ["labels", "annotations", "matchLabels", "nodeSelector", "data", "stringData", "binaryData", "selector"];

fn every(_: &Field<'_>) -> bool {
    true
}

fn is_map(field: &Field<'_>) -> bool {
    field.map_elements().is_some()
}

fn is_pure_map(field: &Field<'_>) -> bool {
    is_map(field) && PURE_MAPS.contains(&field.name)
}

fn is_enumeration(field: &Field<'_>) -> bool {
    field.choices().is_some()
}

fn has_text_values(field: &Field<'_>) -> bool {
    field.is("string") || field.items().is_some_and(|items| items.schema["type"] == "string")
}

fn is_sized_integer(field: &Field<'_>) -> bool {
    field.is("integer") && matches!(field.text("format"), "int32" | "int64")
}

fn is_duration(field: &Field<'_>) -> bool {
    field.text("format") == "duration" || field.kind() == "Duration"
}

fn is_named_reference(field: &Field<'_>) -> bool {
    ["Ref", "Refs", "References"].iter().any(|end| field.name.ends_with(end))
}

/// The items of a list of objects: the list is a document, and no field of one.
fn is_items_of_list(field: &Field<'_>) -> bool {
    field.name == "items" && field.definition.kind().ends_with("List")
}

fn has_list_type(field: &Field<'_>) -> bool {
    match field.text("x-kubernetes-list-type") {
        "map" => field.list_map_keys().next().is_some(),
        ty => matches!(ty, "atomic" | "set"),
    }
}

fn has_all_keys(field: &Field<'_>) -> bool {
    let items = field.items();
    items.is_some_and(|items| field.list_map_keys().all(|key| items.property(key).is_some()))
}

async fn every_field_keeps(cx: Context, rule: Rule) -> Checked {
    let published = Published::arrange(&cx).await?;
    let mut concerned = 0;

    for definition in published.definitions() {
        let concerns = |field: &Field<'_>| (rule.concerns)(field) && !field.is_one_of(rule.exceptions);
        for field in Field::all(&definition).filter(concerns) {
            concerned += 1;
            field.expect((rule.holds)(&field), rule.expected)?;
        }
    }
    Halt::skip_unless(concerned != 0, "no built-in kind of this server has such a field")
}
