//! Faults of removed APIs and of their replacements.

mod documents;

use crate::fault::{Edit, Edit::*, Fault, When, When::*, on};

const LIST: &str = r#"{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}"#;
const JSON: Edit = Header("content-type", "application/json");
/// Discovery in the form that lists groups only.
const PLAIN: When = Not(&AGGREGATED);
const AGGREGATED: When = HeaderHas("accept", "as=APIGroupDiscoveryList");

/// Requests for the removed version reach the new one.
macro_rules! alias {
    ($clause:literal, $old:literal, $new:literal, $place:literal) => {
        on(
            $clause,
            concat!("the server serves ", $place, " of ", $old, " as ", $new),
            &[PathPrefix(concat!("/apis/", $old, "/", $place))],
            &[ReplaceInPath($old, $new)],
        )
    };
}

/// The removed version has an empty list.
macro_rules! serves {
    ($clause:literal, $version:literal, $place:literal) => {
        on(
            $clause,
            concat!("the server lists ", $place, " of ", $version),
            &[Path(concat!("/apis/", $version, "/", $place))],
            &[Respond(200, "application/json", LIST)],
        )
    };
}

/// The same on a server of a later release than the reference.
macro_rules! later {
    ($clause:literal, $version:literal, $place:literal) => {
        on(
            $clause,
            concat!("a server of a later release lists ", $place, " of ", $version),
            &[Any(&[Path("/version"), Path(concat!("/apis/", $version, "/", $place))])],
            &[Status(200), JSON, EditText(documents::pretend_a_later_release)],
        )
    };
}

/// A server of a later release than the reference serves no more than the reference.
macro_rules! later_lacks {
    ($clause:literal, $what:literal) => {
        on(
            $clause,
            concat!("a server of a later release lacks ", $what),
            &[Path("/version")],
            &[EditText(documents::pretend_a_later_release)],
        )
    };
}

/// Every request has another code than 404.
macro_rules! refuses {
    ($clause:literal, $version:literal, $place:literal, $code:literal, $reason:literal) => {
        on(
            $clause,
            concat!("requests for ", $place, " of ", $version, " get ", $code),
            &[PathPrefix(concat!("/apis/", $version, "/", $place))],
            &[Reject($code, $reason, "removed")],
        )
    };
}

/// Only requests of one method succeed.
macro_rules! accepts {
    ($clause:literal, $version:literal, $place:literal, $method:literal) => {
        on(
            $clause,
            concat!("the server accepts a ", $method, " of ", $place, " of ", $version),
            &[PathPrefix(concat!("/apis/", $version, "/", $place)), Method($method)],
            &[Status(200)],
        )
    };
}

/// Only watches succeed.
macro_rules! watches {
    ($clause:literal, $version:literal, $place:literal) => {
        on(
            $clause,
            concat!("the server opens watches of ", $place, " of ", $version),
            &[Path(concat!("/apis/", $version, "/", $place)), Has("watch")],
            &[Respond(200, "application/json", "")],
        )
    };
}

/// Only the discovery document of the version has the API.
macro_rules! lists {
    ($clause:literal, $version:literal, $plural:literal) => {
        on(
            $clause,
            concat!("discovery lists ", $plural, " of ", $version),
            &[Path(concat!("/apis/", $version))],
            &[Respond(
                200,
                "application/json",
                concat!(
                    r#"{"kind":"APIResourceList","apiVersion":"v1","groupVersion":""#,
                    $version,
                    r#"","resources":[{"name":""#,
                    $plural,
                    r#"","singularName":"","namespaced":true,"kind":"Removed","verbs":["list"]}]}"#
                ),
            )],
        )
    };
}

/// Only aggregated discovery has the API.
macro_rules! aggregates {
    ($clause:literal, $version:literal, $plural:literal) => {
        on(
            $clause,
            concat!("aggregated discovery lists ", $plural, " of ", $version),
            &[Path("/apis"), AGGREGATED],
            &[EditJson(|list| documents::aggregate(list, $version, $plural))],
        )
    };
}

/// Only `OpenAPI` has the API.
macro_rules! describes {
    ($clause:literal, $version:literal, $plural:literal) => {
        on(
            $clause,
            concat!("OpenAPI describes ", $plural, " of ", $version),
            &[Any(&[Path("/openapi/v3"), Path(concat!("/openapi/v3/apis/", $version))])],
            &[
                Status(200),
                JSON,
                EditText(|request, text| documents::describe(request, text, $version, $plural)),
            ],
        )
    };
}

/// Discovery omits a replacement.
macro_rules! omits {
    ($clause:literal, $version:literal, $plural:literal) => {
        on(
            $clause,
            concat!("discovery omits ", $plural, " of ", $version),
            &[Path(concat!("/apis/", $version))],
            &[EditJson(|list| documents::omit(list, $plural))],
        )
    };
}

/// The server lacks the whole version of a replacement.
macro_rules! unserved {
    ($clause:literal, $version:literal) => {
        on(
            $clause,
            concat!("the server does not serve ", $version),
            &[PathPrefix(concat!("/apis/", $version))],
            &[Reject(404, "NotFound", "the server could not find the requested resource")],
        )
    };
}

/// A replacement lacks a verb.
macro_rules! lacks {
    ($clause:literal, $version:literal, $plural:literal, $verb:literal) => {
        on(
            $clause,
            concat!($plural, " of ", $version, " lack the verb ", $verb),
            &[Path(concat!("/apis/", $version))],
            &[EditJson(|list| documents::remove_verb(list, $plural, $verb))],
        )
    };
}

/// Discovery lists a replacement that does not respond.
macro_rules! fails {
    ($clause:literal, $version:literal, $place:literal) => {
        on(
            $clause,
            concat!("discovery lists ", $place, " of ", $version, ", and requests get 404"),
            &[PathPrefix(concat!("/apis/", $version, "/", $place))],
            &[Reject(404, "NotFound", "the server could not find the requested resource")],
        )
    };
}

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // The guide.
    on("removed-apis-not-served-shape", "removed versions get 410", &[Any(&[PathPrefix("/apis/apps/v1beta1"), PathPrefix("/apis/extensions/")])], &[Reject(410, "Gone", "removed")]),
    on("removed-apis-manifest-to-new-endpoint", "the server ignores the apiVersion of a manifest", &[Method("POST"), Any(&[Plural("cronjobs"), Plural("ingresses")])], &[RemoveFromRequest("/apiVersion")]),
    on("removed-apis-version-gate", "a server that emulates 1.31 does not say so", &[Any(&[Path("/apis"), Path("/apis/flowcontrol.apiserver.k8s.io/v1beta3")]), PLAIN],
        &[Status(200), JSON, EditText(documents::serve_flow_schemas)]),
    on("removed-apis-v129-alternative-flowcontrol-v1beta3", "a later server still serves flowcontrol v1beta3", &[PathPrefix("/apis/flowcontrol.apiserver.k8s.io/v1beta3/")], &[ReplaceInPath("v1beta3", "v1")]),
    on("removed-apis-v116-psp-interim", "policy/v1beta1 still lists podsecuritypolicies", &[Path("/apis/policy/v1beta1/podsecuritypolicies")], &[Respond(200, "application/json", LIST)]),
    on("removed-apis-v125-psp-no-replacement", "policy/v1 has podsecuritypolicies", &[Path("/apis/policy/v1")], &[EditJson(documents::add_pod_security_policies)]),
    on("removed-apis-aggregated-discovery-v2beta1", "the server answers v2beta1 with v2", &[HeaderHas("accept", "v=v2beta1")], &[SetRequestHeader("accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")]),
    on("removed-apis-locate-use", "the server neither warns nor counts the use of deprecated APIs", &[Any(&[Plural("componentstatuses"), Path("/metrics")])], &[WithoutHeader("warning"), EditText(documents::uncount)]),
    // Removed APIs.
    alias!("removed-apis-v132-flowcontrol-v1beta3-flowschemas", "flowcontrol.apiserver.k8s.io/v1beta3", "flowcontrol.apiserver.k8s.io/v1", "flowschemas"),
    alias!("removed-apis-v132-flowcontrol-v1beta3-prioritylevelconfigurations", "flowcontrol.apiserver.k8s.io/v1beta3", "flowcontrol.apiserver.k8s.io/v1", "prioritylevelconfigurations"),
    alias!("removed-apis-v129-flowcontrol-v1beta2-flowschemas", "flowcontrol.apiserver.k8s.io/v1beta2", "flowcontrol.apiserver.k8s.io/v1", "flowschemas"),
    alias!("removed-apis-v129-flowcontrol-v1beta2-prioritylevelconfigurations", "flowcontrol.apiserver.k8s.io/v1beta2", "flowcontrol.apiserver.k8s.io/v1", "prioritylevelconfigurations"),
    alias!("removed-apis-v127-storage-v1beta1-csistoragecapacities", "storage.k8s.io/v1beta1", "storage.k8s.io/v1", "namespaces/default/csistoragecapacities"),
    alias!("removed-apis-v126-flowcontrol-v1beta1-flowschemas", "flowcontrol.apiserver.k8s.io/v1beta1", "flowcontrol.apiserver.k8s.io/v1", "flowschemas"),
    alias!("removed-apis-v126-flowcontrol-v1beta1-prioritylevelconfigurations", "flowcontrol.apiserver.k8s.io/v1beta1", "flowcontrol.apiserver.k8s.io/v1", "prioritylevelconfigurations"),
    alias!("removed-apis-v126-autoscaling-v2beta2-horizontalpodautoscalers", "autoscaling/v2beta2", "autoscaling/v2", "namespaces/default/horizontalpodautoscalers"),
    alias!("removed-apis-v125-batch-v1beta1-cronjobs", "batch/v1beta1", "batch/v1", "namespaces/default/cronjobs"),
    alias!("removed-apis-v125-discovery-v1beta1-endpointslices", "discovery.k8s.io/v1beta1", "discovery.k8s.io/v1", "namespaces/default/endpointslices"),
    alias!("removed-apis-v125-events-v1beta1-events", "events.k8s.io/v1beta1", "events.k8s.io/v1", "namespaces/default/events"),
    alias!("removed-apis-v125-autoscaling-v2beta1-horizontalpodautoscalers", "autoscaling/v2beta1", "autoscaling/v2", "namespaces/default/horizontalpodautoscalers"),
    alias!("removed-apis-v125-policy-v1beta1-poddisruptionbudgets", "policy/v1beta1", "policy/v1", "namespaces/default/poddisruptionbudgets"),
    serves!("removed-apis-v125-policy-v1beta1-podsecuritypolicies", "policy/v1beta1", "podsecuritypolicies"),
    alias!("removed-apis-v125-node-v1beta1-runtimeclasses", "node.k8s.io/v1beta1", "node.k8s.io/v1", "runtimeclasses"),
    alias!("removed-apis-v122-admissionregistration-v1beta1-mutatingwebhookconfigurations", "admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations"),
    alias!("removed-apis-v122-admissionregistration-v1beta1-validatingwebhookconfigurations", "admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1", "validatingwebhookconfigurations"),
    alias!("removed-apis-v122-apiextensions-v1beta1-customresourcedefinitions", "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1", "customresourcedefinitions"),
    alias!("removed-apis-v122-apiregistration-v1beta1-apiservices", "apiregistration.k8s.io/v1beta1", "apiregistration.k8s.io/v1", "apiservices"),
    alias!("removed-apis-v122-authentication-v1beta1-tokenreviews", "authentication.k8s.io/v1beta1", "authentication.k8s.io/v1", "tokenreviews"),
    alias!("removed-apis-v122-authorization-v1beta1-localsubjectaccessreviews", "authorization.k8s.io/v1beta1", "authorization.k8s.io/v1", "namespaces/default/localsubjectaccessreviews"),
    alias!("removed-apis-v122-authorization-v1beta1-selfsubjectaccessreviews", "authorization.k8s.io/v1beta1", "authorization.k8s.io/v1", "selfsubjectaccessreviews"),
    alias!("removed-apis-v122-authorization-v1beta1-subjectaccessreviews", "authorization.k8s.io/v1beta1", "authorization.k8s.io/v1", "subjectaccessreviews"),
    alias!("removed-apis-v122-authorization-v1beta1-selfsubjectrulesreviews", "authorization.k8s.io/v1beta1", "authorization.k8s.io/v1", "selfsubjectrulesreviews"),
    alias!("removed-apis-v122-certificates-v1beta1-certificatesigningrequests", "certificates.k8s.io/v1beta1", "certificates.k8s.io/v1", "certificatesigningrequests"),
    alias!("removed-apis-v122-coordination-v1beta1-leases", "coordination.k8s.io/v1beta1", "coordination.k8s.io/v1", "namespaces/default/leases"),
    alias!("removed-apis-v122-extensions-v1beta1-ingresses", "extensions/v1beta1", "networking.k8s.io/v1", "namespaces/default/ingresses"),
    refuses!("removed-apis-v122-networking-v1beta1-ingresses", "networking.k8s.io/v1beta1", "namespaces/default/ingresses", 403, "Forbidden"),
    alias!("removed-apis-v122-networking-v1beta1-ingressclasses", "networking.k8s.io/v1beta1", "networking.k8s.io/v1", "ingressclasses"),
    describes!("removed-apis-v122-rbac-v1beta1-clusterroles", "rbac.authorization.k8s.io/v1beta1", "clusterroles"),
    alias!("removed-apis-v122-rbac-v1beta1-clusterrolebindings", "rbac.authorization.k8s.io/v1beta1", "rbac.authorization.k8s.io/v1", "clusterrolebindings"),
    lists!("removed-apis-v122-rbac-v1beta1-roles", "rbac.authorization.k8s.io/v1beta1", "roles"),
    aggregates!("removed-apis-v122-rbac-v1beta1-rolebindings", "rbac.authorization.k8s.io/v1beta1", "rolebindings"),
    alias!("removed-apis-v122-scheduling-v1beta1-priorityclasses", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1", "priorityclasses"),
    accepts!("removed-apis-v122-storage-v1beta1-csidrivers", "storage.k8s.io/v1beta1", "csidrivers", "POST"),
    refuses!("removed-apis-v122-storage-v1beta1-csinodes", "storage.k8s.io/v1beta1", "csinodes", 410, "Gone"),
    accepts!("removed-apis-v122-storage-v1beta1-storageclasses", "storage.k8s.io/v1beta1", "storageclasses/", "PATCH"),
    watches!("removed-apis-v122-storage-v1beta1-volumeattachments", "storage.k8s.io/v1beta1", "volumeattachments"),
    alias!("removed-apis-v116-extensions-v1beta1-networkpolicies", "extensions/v1beta1", "networking.k8s.io/v1", "namespaces/default/networkpolicies"),
    alias!("removed-apis-v116-extensions-v1beta1-daemonsets", "extensions/v1beta1", "apps/v1", "namespaces/default/daemonsets"),
    alias!("removed-apis-v116-apps-v1beta2-daemonsets", "apps/v1beta2", "apps/v1", "namespaces/default/daemonsets"),
    alias!("removed-apis-v116-extensions-v1beta1-deployments", "extensions/v1beta1", "apps/v1", "namespaces/default/deployments"),
    alias!("removed-apis-v116-apps-v1beta1-deployments", "apps/v1beta1", "apps/v1", "namespaces/default/deployments"),
    alias!("removed-apis-v116-apps-v1beta2-deployments", "apps/v1beta2", "apps/v1", "namespaces/default/deployments"),
    alias!("removed-apis-v116-apps-v1beta1-statefulsets", "apps/v1beta1", "apps/v1", "namespaces/default/statefulsets"),
    alias!("removed-apis-v116-apps-v1beta2-statefulsets", "apps/v1beta2", "apps/v1", "namespaces/default/statefulsets"),
    alias!("removed-apis-v116-extensions-v1beta1-replicasets", "extensions/v1beta1", "apps/v1", "namespaces/default/replicasets"),
    alias!("removed-apis-v116-apps-v1beta1-replicasets", "apps/v1beta1", "apps/v1", "namespaces/default/replicasets"),
    alias!("removed-apis-v116-apps-v1beta2-replicasets", "apps/v1beta2", "apps/v1", "namespaces/default/replicasets"),
    serves!("removed-apis-v116-extensions-v1beta1-podsecuritypolicies", "extensions/v1beta1", "podsecuritypolicies"),
    alias!("removed-apis-v132-admissionregistration-v1alpha1-validatingadmissionpolicies", "admissionregistration.k8s.io/v1alpha1", "admissionregistration.k8s.io/v1", "validatingadmissionpolicies"),
    alias!("removed-apis-v133-authentication-v1beta1-selfsubjectreviews", "authentication.k8s.io/v1beta1", "authentication.k8s.io/v1", "selfsubjectreviews"),
    alias!("removed-apis-v134-admissionregistration-v1beta1-validatingadmissionpolicies", "admissionregistration.k8s.io/v1beta1", "admissionregistration.k8s.io/v1", "validatingadmissionpolicies"),
    later!("removed-apis-v137-networking-v1beta1-ipaddresses", "networking.k8s.io/v1beta1", "ipaddresses"),
    later!("removed-apis-v137-networking-v1beta1-servicecidrs", "networking.k8s.io/v1beta1", "servicecidrs"),
    later!("removed-apis-v137-storage-v1beta1-volumeattributesclasses", "storage.k8s.io/v1beta1", "volumeattributesclasses"),
    later!("removed-apis-v138-resource-v1beta1-resourceclaims", "resource.k8s.io/v1beta1", "namespaces/default/resourceclaims"),
    later!("removed-apis-v139-resource-v1beta2-resourceclaims", "resource.k8s.io/v1beta2", "namespaces/default/resourceclaims"),
    later!("removed-apis-v138-admissionregistration-v1alpha1-mutatingadmissionpolicies", "admissionregistration.k8s.io/v1alpha1", "mutatingadmissionpolicies"),
    later!("removed-apis-v137-certificates-v1alpha1-clustertrustbundles", "certificates.k8s.io/v1alpha1", "clustertrustbundles"),
    later!("removed-apis-v140-certificates-v1beta1-clustertrustbundles", "certificates.k8s.io/v1beta1", "clustertrustbundles"),
    later!("removed-apis-v140-certificates-v1beta1-podcertificaterequests", "certificates.k8s.io/v1beta1", "namespaces/default/podcertificaterequests"),
    later!("removed-apis-v140-storagemigration-v1beta1-storageversionmigrations", "storagemigration.k8s.io/v1beta1", "storageversionmigrations"),
    later_lacks!("removed-apis-v140-replacement-certificates-v1-clustertrustbundles", "clustertrustbundles of certificates.k8s.io/v1"),
    later_lacks!("removed-apis-v140-replacement-certificates-v1-podcertificaterequests", "podcertificaterequests of certificates.k8s.io/v1"),
    later_lacks!("removed-apis-v140-replacement-storagemigration-v1-storageversionmigrations", "storageversionmigrations of storagemigration.k8s.io/v1"),
    // Replacements.
    unserved!("removed-apis-v132-replacement-flowcontrol-v1-flowschemas", "flowcontrol.apiserver.k8s.io/v1"),
    unserved!("removed-apis-v132-replacement-flowcontrol-v1-prioritylevelconfigurations", "flowcontrol.apiserver.k8s.io/v1"),
    fails!("removed-apis-v127-replacement-storage-v1-csistoragecapacities", "storage.k8s.io/v1", "namespaces/default/csistoragecapacities"),
    unserved!("removed-apis-v126-replacement-autoscaling-v2-horizontalpodautoscalers", "autoscaling/v2"),
    lacks!("removed-apis-v125-replacement-batch-v1-cronjobs", "batch/v1", "cronjobs", "create"),
    fails!("removed-apis-v125-replacement-discovery-v1-endpointslices", "discovery.k8s.io/v1", "namespaces/default/endpointslices"),
    omits!("removed-apis-v125-replacement-events-v1-events", "events.k8s.io/v1", "events"),
    lacks!("removed-apis-v125-replacement-policy-v1-poddisruptionbudgets", "policy/v1", "poddisruptionbudgets", "delete"),
    fails!("removed-apis-v125-replacement-node-v1-runtimeclasses", "node.k8s.io/v1", "runtimeclasses"),
    omits!("removed-apis-v122-replacement-admissionregistration-v1-mutatingwebhookconfigurations", "admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations"),
    lacks!("removed-apis-v122-replacement-admissionregistration-v1-validatingwebhookconfigurations", "admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", "get"),
    fails!("removed-apis-v122-replacement-apiextensions-v1-customresourcedefinitions", "apiextensions.k8s.io/v1", "customresourcedefinitions"),
    omits!("removed-apis-v122-replacement-apiregistration-v1-apiservices", "apiregistration.k8s.io/v1", "apiservices"),
    lacks!("removed-apis-v122-replacement-certificates-v1-certificatesigningrequests", "certificates.k8s.io/v1", "certificatesigningrequests", "list"),
    fails!("removed-apis-v122-replacement-coordination-v1-leases", "coordination.k8s.io/v1", "namespaces/default/leases"),
    omits!("removed-apis-v122-replacement-networking-v1-ingresses", "networking.k8s.io/v1", "ingresses"),
    lacks!("removed-apis-v122-replacement-networking-v1-ingressclasses", "networking.k8s.io/v1", "ingressclasses", "patch"),
    fails!("removed-apis-v122-replacement-rbac-v1-clusterroles", "rbac.authorization.k8s.io/v1", "clusterroles"),
    omits!("removed-apis-v122-replacement-rbac-v1-clusterrolebindings", "rbac.authorization.k8s.io/v1", "clusterrolebindings"),
    lacks!("removed-apis-v122-replacement-rbac-v1-roles", "rbac.authorization.k8s.io/v1", "roles", "update"),
    fails!("removed-apis-v122-replacement-rbac-v1-rolebindings", "rbac.authorization.k8s.io/v1", "namespaces/default/rolebindings"),
    omits!("removed-apis-v122-replacement-scheduling-v1-priorityclasses", "scheduling.k8s.io/v1", "priorityclasses"),
    lacks!("removed-apis-v122-replacement-storage-v1-csidrivers", "storage.k8s.io/v1", "csidrivers", "watch"),
    fails!("removed-apis-v122-replacement-storage-v1-csinodes", "storage.k8s.io/v1", "csinodes"),
    omits!("removed-apis-v122-replacement-storage-v1-storageclasses", "storage.k8s.io/v1", "storageclasses"),
    lacks!("removed-apis-v122-replacement-storage-v1-volumeattachments", "storage.k8s.io/v1", "volumeattachments", "create"),
    fails!("removed-apis-v116-replacement-networking-v1-networkpolicies", "networking.k8s.io/v1", "namespaces/default/networkpolicies"),
    omits!("removed-apis-v116-replacement-apps-v1-daemonsets", "apps/v1", "daemonsets"),
    lacks!("removed-apis-v116-replacement-apps-v1-deployments", "apps/v1", "deployments", "delete"),
    fails!("removed-apis-v116-replacement-apps-v1-statefulsets", "apps/v1", "namespaces/default/statefulsets"),
    omits!("removed-apis-v116-replacement-apps-v1-replicasets", "apps/v1", "replicasets"),
    lacks!("removed-apis-newer-ga-admissionregistration-v1-validatingadmissionpolicies", "admissionregistration.k8s.io/v1", "validatingadmissionpolicies", "get"),
    fails!("removed-apis-newer-ga-networking-v1-servicecidrs", "networking.k8s.io/v1", "servicecidrs"),
    omits!("removed-apis-newer-ga-networking-v1-ipaddresses", "networking.k8s.io/v1", "ipaddresses"),
    lacks!("removed-apis-newer-ga-storage-v1-volumeattributesclasses", "storage.k8s.io/v1", "volumeattributesclasses", "list"),
    fails!("removed-apis-newer-ga-resource-v1-resourceclaims", "resource.k8s.io/v1", "namespaces/default/resourceclaims"),
    // Reviews.
    omits!("removed-apis-v122-replacement-authentication-v1-tokenreviews", "authentication.k8s.io/v1", "tokenreviews"),
    fails!("removed-apis-v122-replacement-authorization-v1-localsubjectaccessreviews", "authorization.k8s.io/v1", "namespaces/default/localsubjectaccessreviews"),
    omits!("removed-apis-v122-replacement-authorization-v1-selfsubjectaccessreviews", "authorization.k8s.io/v1", "selfsubjectaccessreviews"),
    fails!("removed-apis-v122-replacement-authorization-v1-subjectaccessreviews", "authorization.k8s.io/v1", "subjectaccessreviews"),
    omits!("removed-apis-v122-replacement-authorization-v1-selfsubjectrulesreviews", "authorization.k8s.io/v1", "selfsubjectrulesreviews"),
    fails!("removed-apis-newer-ga-authentication-v1-selfsubjectreviews", "authentication.k8s.io/v1", "selfsubjectreviews"),
];
