//! Built-in resource types.

use crate::autoscaling;
use crate::resource_type::{ResourceType, VERBS};

/// One row of the table: group, plural, kind, namespaced, short names, subresources.
type Row = (&'static str, &'static str, &'static str, bool, &'static [&'static str], &'static [&'static str]);

/// The only review in a namespace.
const LOCAL_REVIEW: &str = "LocalSubjectAccessReview";

/// The subresources of Pods.
const PODS: &[&str] = &["attach", "binding", "eviction", "exec", "log", "portforward", "proxy", "status"];

#[rustfmt::skip]
const STORED: &[Row] = &[
    // group                  plural                       kind                        namespaced short names    subresources
    ("",                       "configmaps",                "ConfigMap",                true,  &["cm"],        &[]),
    ("",                       "componentstatuses",         "ComponentStatus",          false, &["cs"],        &[]),
    ("",                       "endpoints",                 "Endpoints",                true,  &["ep"],        &[]),
    ("",                       "events",                    "Event",                    true,  &["ev"],        &[]),
    ("",                       "namespaces",                "Namespace",                false, &["ns"],        &["finalize", "status"]),
    ("",                       "nodes",                     "Node",                     false, &["no"],        &["proxy", "status"]),
    ("",                       "persistentvolumeclaims",    "PersistentVolumeClaim",    true,  &["pvc"],       &["status"]),
    ("",                       "persistentvolumes",         "PersistentVolume",         false, &["pv"],        &["status"]),
    ("",                       "pods",                      "Pod",                      true,  &["po"],        PODS),
    ("",                       "replicationcontrollers",    "ReplicationController",    true,  &["rc"],        &["status"]),
    ("",                       "resourcequotas",            "ResourceQuota",            true,  &["quota"],     &["status"]),
    ("",                       "secrets",                   "Secret",                   true,  &[],            &[]),
    ("",                       "serviceaccounts",           "ServiceAccount",           true,  &["sa"],        &["token"]),
    ("",                       "services",                  "Service",                  true,  &["svc"],       &["proxy", "status"]),
    ("admissionregistration.k8s.io", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", false, &[],            &[]),
    ("admissionregistration.k8s.io", "validatingadmissionpolicies", "ValidatingAdmissionPolicy", false, &[],            &["status"]),
    ("admissionregistration.k8s.io", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", false, &[],            &[]),
    ("admissionregistration.k8s.io", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false, &[],            &[]),
    ("apiextensions.k8s.io",   "customresourcedefinitions", "CustomResourceDefinition", false, &["crd", "crds"], &["status"]),
    ("apiregistration.k8s.io", "apiservices",               "APIService",               false, &[],            &["status"]),
    ("apps",                   "daemonsets",                "DaemonSet",                true,  &["ds"],        &["status"]),
    ("apps",                   "deployments",               "Deployment",               true,  &["deploy"],    &["scale", "status"]),
    ("apps",                   "replicasets",               "ReplicaSet",               true,  &["rs"],        &["scale", "status"]),
    ("apps",                   "statefulsets",              "StatefulSet",              true,  &["sts"],       &["scale", "status"]),
    ("autoscaling",            "horizontalpodautoscalers",  "HorizontalPodAutoscaler",  true,  &["hpa"],       &["status"]),
    ("batch",                  "cronjobs",                  "CronJob",                  true,  &["cj"],        &["status"]),
    ("batch",                  "jobs",                      "Job",                      true,  &[],            &["status"]),
    ("certificates.k8s.io",    "certificatesigningrequests", "CertificateSigningRequest", false, &["csr"],       &["approval", "status"]),
    ("coordination.k8s.io",    "leases",                    "Lease",                    true,  &[],            &[]),
    ("discovery.k8s.io",       "endpointslices",            "EndpointSlice",            true,  &[],            &[]),
    ("events.k8s.io",          "events",                    "Event",                    true,  &["ev"],        &[]),
    ("flowcontrol.apiserver.k8s.io", "flowschemas",               "FlowSchema",               false, &[],            &["status"]),
    ("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", "PriorityLevelConfiguration", false, &[],            &["status"]),
    ("networking.k8s.io",      "ingressclasses",            "IngressClass",             false, &[],            &[]),
    ("networking.k8s.io",      "ingresses",                 "Ingress",                  true,  &["ing"],       &["status"]),
    ("networking.k8s.io",      "ipaddresses",               "IPAddress",                false, &["ip"],        &[]),
    ("networking.k8s.io",      "networkpolicies",           "NetworkPolicy",            true,  &["netpol"],    &[]),
    ("networking.k8s.io",      "servicecidrs",              "ServiceCIDR",              false, &[],            &["status"]),
    ("node.k8s.io",            "runtimeclasses",            "RuntimeClass",             false, &[],            &[]),
    ("policy",                 "poddisruptionbudgets",      "PodDisruptionBudget",      true,  &["pdb"],       &["status"]),
    ("rbac.authorization.k8s.io", "clusterrolebindings",       "ClusterRoleBinding",       false, &[],            &[]),
    ("rbac.authorization.k8s.io", "clusterroles",              "ClusterRole",              false, &[],            &[]),
    ("rbac.authorization.k8s.io", "rolebindings",              "RoleBinding",              true,  &[],            &[]),
    ("rbac.authorization.k8s.io", "roles",                     "Role",                     true,  &[],            &[]),
    ("resource.k8s.io",        "resourceclaims",            "ResourceClaim",            true,  &[],            &["status"]),
    ("scheduling.k8s.io",      "priorityclasses",           "PriorityClass",            false, &["pc"],        &[]),
    ("storage.k8s.io",         "csidrivers",                "CSIDriver",                false, &[],            &[]),
    ("storage.k8s.io",         "csinodes",                  "CSINode",                  false, &[],            &[]),
    ("storage.k8s.io",         "csistoragecapacities",      "CSIStorageCapacity",       true,  &[],            &[]),
    ("storage.k8s.io",         "storageclasses",            "StorageClass",             false, &["sc"],        &[]),
    ("storage.k8s.io",         "volumeattachments",         "VolumeAttachment",         false, &[],            &["status"]),
    ("storage.k8s.io",         "volumeattributesclasses",   "VolumeAttributesClass",    false, &["vac"],       &[]),
];

/// The types of which objects are stored.
pub(crate) fn stored() -> impl Iterator<Item = ResourceType> {
    let preferred = STORED.iter().map(stored_type);
    let older = STORED.iter().filter(|(group, ..)| *group == autoscaling::GROUP).map(stored_type);
    preferred.chain(older.map(|ty| ResourceType { version: "v1".to_owned(), ..ty }))
}

fn stored_type(row: &Row) -> ResourceType {
    let (group, plural, kind, namespaced, short_names, subresources) = row;
    ResourceType {
        verbs: verbs_of(plural),
        namespaced: *namespaced,
        short_names: owned(short_names),
        subresources: owned(subresources),
        ..named(group, plural, kind)
    }
}

/// Review types: they accept only POST and are never stored.
pub(crate) fn reviews() -> impl Iterator<Item = ResourceType> {
    let kinds = [
        ("authentication.k8s.io", "SelfSubjectReview"),
        ("authentication.k8s.io", "TokenReview"),
        ("authorization.k8s.io", LOCAL_REVIEW),
        ("authorization.k8s.io", "SelfSubjectAccessReview"),
        ("authorization.k8s.io", "SelfSubjectRulesReview"),
        ("authorization.k8s.io", "SubjectAccessReview"),
    ];
    kinds.into_iter().map(|(group, kind)| ResourceType {
        verbs: &["create"],
        namespaced: kind == LOCAL_REVIEW,
        ..named(group, &format!("{}s", kind.to_lowercase()), kind)
    })
}

fn named(group: &str, plural: &str, kind: &str) -> ResourceType {
    ResourceType {
        group: group.to_owned(),
        version: if group == autoscaling::GROUP { "v2" } else { "v1" }.to_owned(),
        plural: plural.to_owned(),
        singular: kind.to_lowercase(),
        kind: kind.to_owned(),
        list_kind: format!("{kind}List"),
        ..ResourceType::default()
    }
}

/// Namespaces have no deletecollection. The list of component statuses is always empty.
fn verbs_of(plural: &str) -> &'static [&'static str] {
    match plural {
        "namespaces" => &["create", "delete", "get", "list", "patch", "update", "watch"],
        "componentstatuses" => &["get", "list"],
        _ => VERBS,
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
