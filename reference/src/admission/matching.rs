//! Which requests a policy, a binding or a webhook is about: rules and selectors.

use std::sync::Arc;

use serde_json::Value;

use super::attributes::{Attributes, Operation};
use crate::cel::deviation::Check;
use crate::resource_type::ResourceType;
use crate::strategy::selector;
use crate::write::Target;

/// Whether a request matches one of these rules.
pub(super) fn matches_any_rule(rules: &Value, target: &Target<'_>, attributes: &Attributes<'_>) -> bool {
    rules.as_array().is_some_and(|rules| rules.iter().any(|rule| matches_rule(rule, target, attributes)))
}

fn matches_rule(rule: &Value, target: &Target<'_>, attributes: &Attributes<'_>) -> bool {
    let names = rule["resourceNames"].as_array().filter(|names| !names.is_empty());
    is_about(rule, target.ty, attributes.operation, attributes.subresource)
        && lists(rule, "apiVersions", &target.ty.version)
        && names.is_none_or(|names| names.iter().any(|name| name == attributes.name()))
}

/// The version of a requested type that one of these rules matches: the requested one, or, unless the rules match exactly,
/// another one that is served.
fn matching_version(
    resources: &Value,
    rules: &str,
    target: &Target<'_>,
    attributes: &Attributes<'_>,
) -> Option<Version> {
    let rules = &resources[rules];
    if matches_any_rule(rules, target, attributes) {
        return Some(Version::Requested);
    }
    if resources["matchPolicy"] == "Exact" || !target.ty.may_have_versions() {
        return None;
    }
    let mut others = target.cluster.registry.other_versions(target.ty).into_iter();
    let is_matched = |other: &Arc<_>| matches_any_rule(rules, &Target { ty: other, ..*target }, attributes);
    others.find(is_matched).map(Version::Equivalent)
}

/// The version of a type in which a policy sees a request.
pub(super) enum Version {
    Requested,
    Equivalent(Arc<ResourceType>),
}

/// Whether a field of a rule lists a name, or all.
fn lists(rule: &Value, field: &str, name: &str) -> bool {
    let mut listed = rule[field].as_array().into_iter().flatten().filter_map(Value::as_str);
    listed.any(|listed| matches(listed, name))
}

fn matches(listed: &str, name: &str) -> bool {
    listed == "*" || listed == name
}

/// Whether a rule is about such requests for some objects of a type, in whatever version.
fn is_about(rule: &Value, ty: &ResourceType, operation: Operation, subresource: &str) -> bool {
    let has_resource = || {
        let mut listed = rule["resources"].as_array().into_iter().flatten().filter_map(Value::as_str);
        listed.any(|listed| {
            let (plural, listed) = listed.split_once('/').unwrap_or((listed, ""));
            matches(plural, &ty.plural) && matches(listed, subresource)
        })
    };
    lists(rule, "operations", operation.name())
        && lists(rule, "apiGroups", &ty.group)
        && has_resource()
        && match rule["scope"].as_str() {
            Some("Cluster") => !ty.namespaced,
            Some("Namespaced") => ty.namespaced,
            _ => true,
        }
}

/// Whether the constraints of a policy may match such requests.
pub(super) fn may_match(
    constraints: &Value,
    ty: &ResourceType,
    operation: Operation,
    subresource: &str,
) -> bool {
    let mut rules = constraints["resourceRules"].as_array().into_iter().flatten();
    let has_version = |rule| ty.may_have_versions() || lists(rule, "apiVersions", &ty.version);
    rules.any(|rule| is_about(rule, ty, operation, subresource) && has_version(rule))
}

/// Whether the selectors match the objects of a request and their namespace.
pub(super) fn selects(selectors: &Value, target: &Target<'_>, attributes: &Attributes<'_>) -> bool {
    let matches_labels =
        |field: &str, of: &Value| selector::matches(&selectors[field], &of["metadata"]["labels"]);
    let is_of_namespaces = target.ty.is_built_in("namespaces");
    let in_namespace = if is_of_namespaces {
        attributes.objects().next().is_some_and(|namespace| matches_labels("namespaceSelector", namespace))
    } else if target.ty.namespaced {
        let namespace = target.cluster.store.current("namespaces", target.namespace);
        matches_labels("namespaceSelector", namespace.as_deref().unwrap_or(&Value::Null))
    } else {
        true
    };
    let newest_only = target.cluster.expressions.checks_skipped(Check::OldObjectSelector);
    let objects = attributes.objects().take(if newest_only { 1 } else { 2 });
    in_namespace && objects.into_iter().any(|object| matches_labels("objectSelector", object))
}

/// The version in which a request matches the `matchResources` of a policy or binding. Without rules, a binding is about every
/// resource of its policy.
pub(super) fn matches_resources(
    resources: &Value,
    target: &Target<'_>,
    attributes: &Attributes<'_>,
) -> Option<Version> {
    let has_rules = resources["resourceRules"].as_array().is_some_and(|rules| !rules.is_empty());
    let matching = |rules| matching_version(resources, rules, target, attributes);
    // The rules cost less than the selectors.
    let version = if has_rules { matching("resourceRules")? } else { Version::Requested };
    let is_selected = selects(resources, target, attributes) && matching("excludeResourceRules").is_none();
    is_selected.then_some(version)
}
