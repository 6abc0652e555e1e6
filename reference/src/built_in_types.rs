//! Built-in resource types.

use crate::event::GROUP as EVENTS;
use crate::resource_type::{ResourceType, VERBS};

/// One row of the table: group, plural, kind, namespaced, short names, subresources.
type Row = (&'static str, &'static str, &'static str, bool, &'static [&'static str], &'static [&'static str]);

/// The subresources of Pods.
const PODS: &[&str] = &["attach", "binding", "eviction", "exec", "log", "portforward", "proxy", "status"];

#[rustfmt::skip]
const STORED: &[Row] = &[
    // group                  plural                       kind                        namespaced short names          subresources
    ("",                      "configmaps",                "ConfigMap",                true,  &["cm"],          &[]),
    ("",                      "componentstatuses",         "ComponentStatus",          false, &["cs"],          &[]),
    ("",                      "events",                    "Event",                    true,  &["ev"],          &[]),
    ("",                      "namespaces",                "Namespace",                false, &["ns"],          &["finalize", "status"]),
    ("",                      "nodes",                     "Node",                     false, &["no"],          &["proxy", "status"]),
    ("",                      "persistentvolumeclaims",    "PersistentVolumeClaim",    true,  &["pvc"],         &["status"]),
    ("",                      "pods",                      "Pod",                      true,  &["po"],          PODS),
    ("",                      "replicationcontrollers",    "ReplicationController",    true,  &["rc"],          &["status"]),
    ("",                      "resourcequotas",            "ResourceQuota",            true,  &["quota"],       &["status"]),
    ("",                      "secrets",                   "Secret",                   true,  &[],              &[]),
    ("",                      "serviceaccounts",           "ServiceAccount",           true,  &["sa"],          &["token"]),
    ("",                      "services",                  "Service",                  true,  &["svc"],         &["proxy", "status"]),
    ("admissionregistration.k8s.io", "validatingadmissionpolicies", "ValidatingAdmissionPolicy", false, &[],   &["status"]),
    ("admissionregistration.k8s.io", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", false, &[], &[]),
    ("admissionregistration.k8s.io", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false, &[], &[]),
    ("apiextensions.k8s.io",  "customresourcedefinitions", "CustomResourceDefinition", false, &["crd", "crds"], &["status"]),
    ("apiregistration.k8s.io", "apiservices",              "APIService",               false, &[],              &["status"]),
    ("apps",                  "deployments",               "Deployment",               true,  &["deploy"],      &["scale", "status"]),
    ("batch",                 "jobs",                      "Job",                      true,  &[],              &["status"]),
    ("coordination.k8s.io",   "leases",                    "Lease",                    true,  &[],              &[]),
    ("events.k8s.io",         "events",                    "Event",                    true,  &["ev"],          &[]),
    ("policy",                "poddisruptionbudgets",      "PodDisruptionBudget",      true,  &["pdb"],         &["status"]),
    ("rbac.authorization.k8s.io", "clusterroles",          "ClusterRole",              false, &[],              &[]),
    ("rbac.authorization.k8s.io", "rolebindings",          "RoleBinding",              true,  &[],              &[]),
    ("rbac.authorization.k8s.io", "roles",                 "Role",                     true,  &[],              &[]),
];

/// The types of which objects are stored.
pub(crate) fn stored() -> impl Iterator<Item = ResourceType> {
    STORED.iter().map(|(group, plural, kind, namespaced, short_names, subresources)| ResourceType {
        verbs: verbs_of(group, plural),
        namespaced: *namespaced,
        short_names: owned(short_names),
        subresources: owned(subresources),
        ..named(group, plural, kind)
    })
}

/// Review types: they accept only POST and are never stored.
pub(crate) fn reviews() -> impl Iterator<Item = ResourceType> {
    let kinds = [
        ("authentication.k8s.io", "SelfSubjectReview"),
        ("authorization.k8s.io", "SelfSubjectAccessReview"),
        ("authorization.k8s.io", "SubjectAccessReview"),
    ];
    kinds.into_iter().map(|(group, kind)| ResourceType {
        verbs: &["create"],
        ..named(group, &format!("{}s", kind.to_lowercase()), kind)
    })
}

fn named(group: &str, plural: &str, kind: &str) -> ResourceType {
    ResourceType {
        group: group.to_owned(),
        version: "v1".to_owned(),
        plural: plural.to_owned(),
        singular: kind.to_lowercase(),
        kind: kind.to_owned(),
        list_kind: format!("{kind}List"),
        ..ResourceType::default()
    }
}

/// `events.k8s.io` serves the events of the core group read-only.
///
/// Namespaces have no deletecollection. The list of component statuses is always empty.
fn verbs_of(group: &str, plural: &str) -> &'static [&'static str] {
    match plural {
        _ if group == EVENTS => &["get", "list", "watch"],
        "namespaces" => &["create", "delete", "get", "list", "patch", "update", "watch"],
        "componentstatuses" => &["get", "list"],
        _ => VERBS,
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
