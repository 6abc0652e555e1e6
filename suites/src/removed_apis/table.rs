//! The tables: removed APIs, the APIs that replace them, and reviews, which only create.

use super::api::{Api, Removal, Replacement, cluster, namespaced, removed, replacement};

/// Each with the minor that deprecates it, and the minor that no longer serves it.
#[rustfmt::skip]
pub(super) const REMOVED: &[(&str, Removal)] = &[
    ("removed-apis-v132-flowcontrol-v1beta3-flowschemas", removed(29, 32, cluster("flowcontrol.apiserver.k8s.io/v1beta3", "flowschemas", "FlowSchema"))),
    ("removed-apis-v132-flowcontrol-v1beta3-prioritylevelconfigurations", removed(29, 32, cluster("flowcontrol.apiserver.k8s.io/v1beta3", "prioritylevelconfigurations", "PriorityLevelConfiguration"))),
    ("removed-apis-v129-flowcontrol-v1beta2-flowschemas", removed(26, 29, cluster("flowcontrol.apiserver.k8s.io/v1beta2", "flowschemas", "FlowSchema"))),
    ("removed-apis-v129-flowcontrol-v1beta2-prioritylevelconfigurations", removed(26, 29, cluster("flowcontrol.apiserver.k8s.io/v1beta2", "prioritylevelconfigurations", "PriorityLevelConfiguration"))),
    ("removed-apis-v127-storage-v1beta1-csistoragecapacities", removed(24, 27, namespaced("storage.k8s.io/v1beta1", "csistoragecapacities", "CSIStorageCapacity"))),
    ("removed-apis-v126-flowcontrol-v1beta1-flowschemas", removed(23, 26, cluster("flowcontrol.apiserver.k8s.io/v1beta1", "flowschemas", "FlowSchema"))),
    ("removed-apis-v126-flowcontrol-v1beta1-prioritylevelconfigurations", removed(23, 26, cluster("flowcontrol.apiserver.k8s.io/v1beta1", "prioritylevelconfigurations", "PriorityLevelConfiguration"))),
    ("removed-apis-v126-autoscaling-v2beta2-horizontalpodautoscalers", removed(23, 26, namespaced("autoscaling/v2beta2", "horizontalpodautoscalers", "HorizontalPodAutoscaler"))),
    ("removed-apis-v125-batch-v1beta1-cronjobs", removed(21, 25, namespaced("batch/v1beta1", "cronjobs", "CronJob"))),
    ("removed-apis-v125-discovery-v1beta1-endpointslices", removed(21, 25, namespaced("discovery.k8s.io/v1beta1", "endpointslices", "EndpointSlice"))),
    ("removed-apis-v125-events-v1beta1-events", removed(22, 25, namespaced("events.k8s.io/v1beta1", "events", "Event"))),
    ("removed-apis-v125-autoscaling-v2beta1-horizontalpodautoscalers", removed(22, 25, namespaced("autoscaling/v2beta1", "horizontalpodautoscalers", "HorizontalPodAutoscaler"))),
    ("removed-apis-v125-policy-v1beta1-poddisruptionbudgets", removed(21, 25, namespaced("policy/v1beta1", "poddisruptionbudgets", "PodDisruptionBudget"))),
    ("removed-apis-v125-policy-v1beta1-podsecuritypolicies", removed(21, 25, cluster("policy/v1beta1", "podsecuritypolicies", "PodSecurityPolicy"))),
    ("removed-apis-v125-node-v1beta1-runtimeclasses", removed(22, 25, cluster("node.k8s.io/v1beta1", "runtimeclasses", "RuntimeClass"))),
    ("removed-apis-v122-admissionregistration-v1beta1-mutatingwebhookconfigurations", removed(16, 22, cluster("admissionregistration.k8s.io/v1beta1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration"))),
    ("removed-apis-v122-admissionregistration-v1beta1-validatingwebhookconfigurations", removed(16, 22, cluster("admissionregistration.k8s.io/v1beta1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"))),
    ("removed-apis-v122-apiextensions-v1beta1-customresourcedefinitions", removed(16, 22, cluster("apiextensions.k8s.io/v1beta1", "customresourcedefinitions", "CustomResourceDefinition"))),
    ("removed-apis-v122-apiregistration-v1beta1-apiservices", removed(19, 22, cluster("apiregistration.k8s.io/v1beta1", "apiservices", "APIService"))),
    ("removed-apis-v122-authentication-v1beta1-tokenreviews", removed(19, 22, cluster("authentication.k8s.io/v1beta1", "tokenreviews", "TokenReview"))),
    ("removed-apis-v122-authorization-v1beta1-localsubjectaccessreviews", removed(19, 22, namespaced("authorization.k8s.io/v1beta1", "localsubjectaccessreviews", "LocalSubjectAccessReview"))),
    ("removed-apis-v122-authorization-v1beta1-selfsubjectaccessreviews", removed(19, 22, cluster("authorization.k8s.io/v1beta1", "selfsubjectaccessreviews", "SelfSubjectAccessReview"))),
    ("removed-apis-v122-authorization-v1beta1-subjectaccessreviews", removed(19, 22, cluster("authorization.k8s.io/v1beta1", "subjectaccessreviews", "SubjectAccessReview"))),
    ("removed-apis-v122-authorization-v1beta1-selfsubjectrulesreviews", removed(19, 22, cluster("authorization.k8s.io/v1beta1", "selfsubjectrulesreviews", "SelfSubjectRulesReview"))),
    ("removed-apis-v122-certificates-v1beta1-certificatesigningrequests", removed(19, 22, cluster("certificates.k8s.io/v1beta1", "certificatesigningrequests", "CertificateSigningRequest"))),
    ("removed-apis-v122-coordination-v1beta1-leases", removed(19, 22, namespaced("coordination.k8s.io/v1beta1", "leases", "Lease"))),
    ("removed-apis-v122-extensions-v1beta1-ingresses", removed(14, 22, namespaced("extensions/v1beta1", "ingresses", "Ingress"))),
    ("removed-apis-v122-networking-v1beta1-ingresses", removed(19, 22, namespaced("networking.k8s.io/v1beta1", "ingresses", "Ingress"))),
    ("removed-apis-v122-networking-v1beta1-ingressclasses", removed(19, 22, cluster("networking.k8s.io/v1beta1", "ingressclasses", "IngressClass"))),
    ("removed-apis-v122-rbac-v1beta1-clusterroles", removed(17, 22, cluster("rbac.authorization.k8s.io/v1beta1", "clusterroles", "ClusterRole"))),
    ("removed-apis-v122-rbac-v1beta1-clusterrolebindings", removed(17, 22, cluster("rbac.authorization.k8s.io/v1beta1", "clusterrolebindings", "ClusterRoleBinding"))),
    ("removed-apis-v122-rbac-v1beta1-roles", removed(17, 22, namespaced("rbac.authorization.k8s.io/v1beta1", "roles", "Role"))),
    ("removed-apis-v122-rbac-v1beta1-rolebindings", removed(17, 22, namespaced("rbac.authorization.k8s.io/v1beta1", "rolebindings", "RoleBinding"))),
    ("removed-apis-v122-scheduling-v1beta1-priorityclasses", removed(14, 22, cluster("scheduling.k8s.io/v1beta1", "priorityclasses", "PriorityClass"))),
    ("removed-apis-v122-storage-v1beta1-csidrivers", removed(19, 22, cluster("storage.k8s.io/v1beta1", "csidrivers", "CSIDriver"))),
    ("removed-apis-v122-storage-v1beta1-csinodes", removed(17, 22, cluster("storage.k8s.io/v1beta1", "csinodes", "CSINode"))),
    ("removed-apis-v122-storage-v1beta1-storageclasses", removed(19, 22, cluster("storage.k8s.io/v1beta1", "storageclasses", "StorageClass"))),
    ("removed-apis-v122-storage-v1beta1-volumeattachments", removed(19, 22, cluster("storage.k8s.io/v1beta1", "volumeattachments", "VolumeAttachment"))),
    ("removed-apis-v116-extensions-v1beta1-networkpolicies", removed(9, 16, namespaced("extensions/v1beta1", "networkpolicies", "NetworkPolicy"))),
    ("removed-apis-v116-extensions-v1beta1-daemonsets", removed(8, 16, namespaced("extensions/v1beta1", "daemonsets", "DaemonSet"))),
    ("removed-apis-v116-apps-v1beta2-daemonsets", removed(9, 16, namespaced("apps/v1beta2", "daemonsets", "DaemonSet"))),
    ("removed-apis-v116-extensions-v1beta1-deployments", removed(8, 16, namespaced("extensions/v1beta1", "deployments", "Deployment"))),
    ("removed-apis-v116-apps-v1beta1-deployments", removed(8, 16, namespaced("apps/v1beta1", "deployments", "Deployment"))),
    ("removed-apis-v116-apps-v1beta2-deployments", removed(9, 16, namespaced("apps/v1beta2", "deployments", "Deployment"))),
    ("removed-apis-v116-apps-v1beta1-statefulsets", removed(8, 16, namespaced("apps/v1beta1", "statefulsets", "StatefulSet"))),
    ("removed-apis-v116-apps-v1beta2-statefulsets", removed(9, 16, namespaced("apps/v1beta2", "statefulsets", "StatefulSet"))),
    ("removed-apis-v116-extensions-v1beta1-replicasets", removed(8, 16, namespaced("extensions/v1beta1", "replicasets", "ReplicaSet"))),
    ("removed-apis-v116-apps-v1beta1-replicasets", removed(8, 16, namespaced("apps/v1beta1", "replicasets", "ReplicaSet"))),
    ("removed-apis-v116-apps-v1beta2-replicasets", removed(9, 16, namespaced("apps/v1beta2", "replicasets", "ReplicaSet"))),
    ("removed-apis-v116-extensions-v1beta1-podsecuritypolicies", removed(11, 16, cluster("extensions/v1beta1", "podsecuritypolicies", "PodSecurityPolicy"))),
    ("removed-apis-v132-admissionregistration-v1alpha1-validatingadmissionpolicies", removed(29, 32, cluster("admissionregistration.k8s.io/v1alpha1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy"))),
    ("removed-apis-v133-authentication-v1beta1-selfsubjectreviews", removed(30, 33, cluster("authentication.k8s.io/v1beta1", "selfsubjectreviews", "SelfSubjectReview"))),
    ("removed-apis-v134-admissionregistration-v1beta1-validatingadmissionpolicies", removed(31, 34, cluster("admissionregistration.k8s.io/v1beta1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy"))),
    ("removed-apis-v137-networking-v1beta1-ipaddresses", removed(34, 37, cluster("networking.k8s.io/v1beta1", "ipaddresses", "IPAddress"))),
    ("removed-apis-v137-networking-v1beta1-servicecidrs", removed(34, 37, cluster("networking.k8s.io/v1beta1", "servicecidrs", "ServiceCIDR"))),
    ("removed-apis-v137-storage-v1beta1-volumeattributesclasses", removed(34, 37, cluster("storage.k8s.io/v1beta1", "volumeattributesclasses", "VolumeAttributesClass"))),
    ("removed-apis-v138-resource-v1beta1-resourceclaims", removed(35, 38, namespaced("resource.k8s.io/v1beta1", "resourceclaims", "ResourceClaim"))),
    ("removed-apis-v139-resource-v1beta2-resourceclaims", removed(36, 39, namespaced("resource.k8s.io/v1beta2", "resourceclaims", "ResourceClaim"))),
    ("removed-apis-v138-admissionregistration-v1alpha1-mutatingadmissionpolicies", removed(35, 38, cluster("admissionregistration.k8s.io/v1alpha1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy"))),
    ("removed-apis-v137-certificates-v1alpha1-clustertrustbundles", removed(34, 37, cluster("certificates.k8s.io/v1alpha1", "clustertrustbundles", "ClusterTrustBundle"))),
    ("removed-apis-v140-certificates-v1beta1-clustertrustbundles", removed(37, 40, cluster("certificates.k8s.io/v1beta1", "clustertrustbundles", "ClusterTrustBundle"))),
    ("removed-apis-v140-certificates-v1beta1-podcertificaterequests", removed(37, 40, namespaced("certificates.k8s.io/v1beta1", "podcertificaterequests", "PodCertificateRequest"))),
    ("removed-apis-v140-storagemigration-v1beta1-storageversionmigrations", removed(37, 40, cluster("storagemigration.k8s.io/v1beta1", "storageversionmigrations", "StorageVersionMigration"))),
];

/// The replacements of stored objects.
#[rustfmt::skip]
pub(super) const SERVED: &[(&str, Replacement)] = &[
    ("removed-apis-v132-replacement-flowcontrol-v1-flowschemas", replacement(cluster("flowcontrol.apiserver.k8s.io/v1", "flowschemas", "FlowSchema"))),
    ("removed-apis-v132-replacement-flowcontrol-v1-prioritylevelconfigurations", replacement(cluster("flowcontrol.apiserver.k8s.io/v1", "prioritylevelconfigurations", "PriorityLevelConfiguration"))),
    ("removed-apis-v127-replacement-storage-v1-csistoragecapacities", replacement(namespaced("storage.k8s.io/v1", "csistoragecapacities", "CSIStorageCapacity"))),
    ("removed-apis-v126-replacement-autoscaling-v2-horizontalpodautoscalers", replacement(namespaced("autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler"))),
    ("removed-apis-v125-replacement-batch-v1-cronjobs", replacement(namespaced("batch/v1", "cronjobs", "CronJob"))),
    ("removed-apis-v125-replacement-discovery-v1-endpointslices", replacement(namespaced("discovery.k8s.io/v1", "endpointslices", "EndpointSlice"))),
    ("removed-apis-v125-replacement-events-v1-events", replacement(namespaced("events.k8s.io/v1", "events", "Event"))),
    ("removed-apis-v125-replacement-policy-v1-poddisruptionbudgets", replacement(namespaced("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget"))),
    ("removed-apis-v125-replacement-node-v1-runtimeclasses", replacement(cluster("node.k8s.io/v1", "runtimeclasses", "RuntimeClass"))),
    ("removed-apis-v122-replacement-admissionregistration-v1-mutatingwebhookconfigurations", replacement(cluster("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration"))),
    ("removed-apis-v122-replacement-admissionregistration-v1-validatingwebhookconfigurations", replacement(cluster("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"))),
    ("removed-apis-v122-replacement-apiextensions-v1-customresourcedefinitions", replacement(cluster("apiextensions.k8s.io/v1", "customresourcedefinitions", "CustomResourceDefinition")).of_feature("CustomResources")),
    ("removed-apis-v122-replacement-apiregistration-v1-apiservices", replacement(cluster("apiregistration.k8s.io/v1", "apiservices", "APIService")).of_feature("APIAggregation")),
    ("removed-apis-v122-replacement-certificates-v1-certificatesigningrequests", replacement(cluster("certificates.k8s.io/v1", "certificatesigningrequests", "CertificateSigningRequest"))),
    ("removed-apis-v122-replacement-coordination-v1-leases", replacement(namespaced("coordination.k8s.io/v1", "leases", "Lease"))),
    ("removed-apis-v122-replacement-networking-v1-ingresses", replacement(namespaced("networking.k8s.io/v1", "ingresses", "Ingress"))),
    ("removed-apis-v122-replacement-networking-v1-ingressclasses", replacement(cluster("networking.k8s.io/v1", "ingressclasses", "IngressClass"))),
    ("removed-apis-v122-replacement-rbac-v1-clusterroles", replacement(cluster("rbac.authorization.k8s.io/v1", "clusterroles", "ClusterRole")).of_feature("RBAC")),
    ("removed-apis-v122-replacement-rbac-v1-clusterrolebindings", replacement(cluster("rbac.authorization.k8s.io/v1", "clusterrolebindings", "ClusterRoleBinding")).of_feature("RBAC")),
    ("removed-apis-v122-replacement-rbac-v1-roles", replacement(namespaced("rbac.authorization.k8s.io/v1", "roles", "Role")).of_feature("RBAC")),
    ("removed-apis-v122-replacement-rbac-v1-rolebindings", replacement(namespaced("rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding")).of_feature("RBAC")),
    ("removed-apis-v122-replacement-scheduling-v1-priorityclasses", replacement(cluster("scheduling.k8s.io/v1", "priorityclasses", "PriorityClass"))),
    ("removed-apis-v122-replacement-storage-v1-csidrivers", replacement(cluster("storage.k8s.io/v1", "csidrivers", "CSIDriver"))),
    ("removed-apis-v122-replacement-storage-v1-csinodes", replacement(cluster("storage.k8s.io/v1", "csinodes", "CSINode"))),
    ("removed-apis-v122-replacement-storage-v1-storageclasses", replacement(cluster("storage.k8s.io/v1", "storageclasses", "StorageClass"))),
    ("removed-apis-v122-replacement-storage-v1-volumeattachments", replacement(cluster("storage.k8s.io/v1", "volumeattachments", "VolumeAttachment"))),
    ("removed-apis-v116-replacement-networking-v1-networkpolicies", replacement(namespaced("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy"))),
    ("removed-apis-v116-replacement-apps-v1-daemonsets", replacement(namespaced("apps/v1", "daemonsets", "DaemonSet"))),
    ("removed-apis-v116-replacement-apps-v1-deployments", replacement(namespaced("apps/v1", "deployments", "Deployment"))),
    ("removed-apis-v116-replacement-apps-v1-statefulsets", replacement(namespaced("apps/v1", "statefulsets", "StatefulSet"))),
    ("removed-apis-v116-replacement-apps-v1-replicasets", replacement(namespaced("apps/v1", "replicasets", "ReplicaSet"))),
    ("removed-apis-newer-ga-admissionregistration-v1-validatingadmissionpolicies", replacement(cluster("admissionregistration.k8s.io/v1", "validatingadmissionpolicies", "ValidatingAdmissionPolicy"))),
    ("removed-apis-newer-ga-networking-v1-servicecidrs", replacement(cluster("networking.k8s.io/v1", "servicecidrs", "ServiceCIDR"))),
    ("removed-apis-newer-ga-networking-v1-ipaddresses", replacement(cluster("networking.k8s.io/v1", "ipaddresses", "IPAddress"))),
    ("removed-apis-newer-ga-storage-v1-volumeattributesclasses", replacement(cluster("storage.k8s.io/v1", "volumeattributesclasses", "VolumeAttributesClass"))),
    ("removed-apis-newer-ga-resource-v1-resourceclaims", replacement(namespaced("resource.k8s.io/v1", "resourceclaims", "ResourceClaim")).of_feature("DynamicResourceAllocation")),
    ("removed-apis-v140-replacement-certificates-v1-clustertrustbundles", replacement(cluster("certificates.k8s.io/v1", "clustertrustbundles", "ClusterTrustBundle"))),
    ("removed-apis-v140-replacement-certificates-v1-podcertificaterequests", replacement(namespaced("certificates.k8s.io/v1", "podcertificaterequests", "PodCertificateRequest"))),
    ("removed-apis-v140-replacement-storagemigration-v1-storageversionmigrations", replacement(cluster("storagemigration.k8s.io/v1", "storageversionmigrations", "StorageVersionMigration"))),
];

/// The replacements of reviews.
#[rustfmt::skip]
pub(super) const REVIEWS: &[(&str, Api)] = &[
    ("removed-apis-v122-replacement-authentication-v1-tokenreviews", cluster("authentication.k8s.io/v1", "tokenreviews", "TokenReview")),
    ("removed-apis-v122-replacement-authorization-v1-localsubjectaccessreviews", namespaced("authorization.k8s.io/v1", "localsubjectaccessreviews", "LocalSubjectAccessReview")),
    ("removed-apis-v122-replacement-authorization-v1-selfsubjectaccessreviews", cluster("authorization.k8s.io/v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview")),
    ("removed-apis-v122-replacement-authorization-v1-subjectaccessreviews", cluster("authorization.k8s.io/v1", "subjectaccessreviews", "SubjectAccessReview")),
    ("removed-apis-v122-replacement-authorization-v1-selfsubjectrulesreviews", cluster("authorization.k8s.io/v1", "selfsubjectrulesreviews", "SelfSubjectRulesReview")),
    ("removed-apis-newer-ga-authentication-v1-selfsubjectreviews", cluster("authentication.k8s.io/v1", "selfsubjectreviews", "SelfSubjectReview")),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The version of the catalogue from which on a clause applies.
    fn since(clause: &str) -> u32 {
        crate::catalogue().get(clause).unwrap().since.unwrap().minor
    }

    #[test]
    fn a_removal_has_the_minor_of_its_clause() {
        for (clause, removal) in REMOVED {
            assert_eq!(removal.minor, since(clause), "{clause}");
        }
    }

    #[test]
    fn a_clause_names_the_api_of_its_row() {
        let removals = REMOVED.iter().map(|(clause, removal)| (*clause, removal.api));
        let replacements = SERVED.iter().map(|(clause, replacement)| (*clause, replacement.api));
        for (clause, api) in removals.chain(replacements).chain(REVIEWS.iter().copied()) {
            let statement = crate::catalogue().get(clause).unwrap().statement.clone();
            let words: Vec<&str> =
                statement.split(' ').map(|word| word.trim_end_matches(['.', ','])).collect();
            assert!(words.contains(&api.version) && words.contains(&api.kind), "{clause}: {statement}");
        }
    }
}
