//! Removed and deprecated APIs that no clause names: most were off by default, so their absence shows nothing.
//!
//! The minors are those of `k8s.io/api` (prerelease-lifecycle). An alpha version whose types left `k8s.io/api` earlier is
//! gone with them.

use super::api::{Api, Removal, cluster, namespaced, removed};

/// Each with the minor that deprecates it, and the minor that no longer serves it.
#[rustfmt::skip]
pub(super) const MORE_REMOVED: &[Removal] = &[
    removed(8, 16, namespaced("apps/v1beta1", "controllerrevisions", "ControllerRevision")),
    removed(9, 16, namespaced("apps/v1beta2", "controllerrevisions", "ControllerRevision")),
    removed(19, 19, cluster("auditregistration.k8s.io/v1alpha1", "auditsinks", "AuditSink")),
    removed(20, 20, namespaced("settings.k8s.io/v1alpha1", "podpresets", "PodPreset")),
    removed(21, 21, namespaced("batch/v2alpha1", "cronjobs", "CronJob")),
    removed(21, 21, namespaced("discovery.k8s.io/v1alpha1", "endpointslices", "EndpointSlice")),
    removed(20, 21, cluster("flowcontrol.apiserver.k8s.io/v1alpha1", "flowschemas", "FlowSchema")),
    removed(20, 21, cluster("flowcontrol.apiserver.k8s.io/v1alpha1", "prioritylevelconfigurations", "PriorityLevelConfiguration")),
    removed(17, 23, cluster("rbac.authorization.k8s.io/v1alpha1", "clusterroles", "ClusterRole")),
    removed(17, 23, cluster("rbac.authorization.k8s.io/v1alpha1", "clusterrolebindings", "ClusterRoleBinding")),
    removed(17, 23, namespaced("rbac.authorization.k8s.io/v1alpha1", "roles", "Role")),
    removed(17, 23, namespaced("rbac.authorization.k8s.io/v1alpha1", "rolebindings", "RoleBinding")),
    removed(14, 23, cluster("scheduling.k8s.io/v1alpha1", "priorityclasses", "PriorityClass")),
    removed(21, 24, namespaced("storage.k8s.io/v1alpha1", "csistoragecapacities", "CSIStorageCapacity")),
    removed(21, 24, cluster("storage.k8s.io/v1alpha1", "volumeattachments", "VolumeAttachment")),
    removed(24, 24, cluster("node.k8s.io/v1alpha1", "runtimeclasses", "RuntimeClass")),
    removed(27, 27, namespaced("resource.k8s.io/v1alpha1", "podschedulings", "PodScheduling")),
    removed(27, 27, namespaced("resource.k8s.io/v1alpha1", "resourceclaims", "ResourceClaim")),
    removed(27, 27, namespaced("resource.k8s.io/v1alpha1", "resourceclaimtemplates", "ResourceClaimTemplate")),
    removed(27, 27, cluster("resource.k8s.io/v1alpha1", "resourceclasses", "ResourceClass")),
    removed(29, 29, cluster("networking.k8s.io/v1alpha1", "clustercidrs", "ClusterCIDR")),
    removed(31, 31, namespaced("resource.k8s.io/v1alpha2", "podschedulingcontexts", "PodSchedulingContext")),
    removed(31, 31, namespaced("resource.k8s.io/v1alpha2", "resourceclaims", "ResourceClaim")),
    removed(31, 31, namespaced("resource.k8s.io/v1alpha2", "resourceclaimparameters", "ResourceClaimParameters")),
    removed(31, 31, namespaced("resource.k8s.io/v1alpha2", "resourceclaimtemplates", "ResourceClaimTemplate")),
    removed(31, 31, cluster("resource.k8s.io/v1alpha2", "resourceclasses", "ResourceClass")),
    removed(31, 31, namespaced("resource.k8s.io/v1alpha2", "resourceclassparameters", "ResourceClassParameters")),
    removed(31, 31, cluster("resource.k8s.io/v1alpha2", "resourceslices", "ResourceSlice")),
    removed(29, 32, cluster("admissionregistration.k8s.io/v1alpha1", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding")),
    removed(29, 32, cluster("authentication.k8s.io/v1alpha1", "selfsubjectreviews", "SelfSubjectReview")),
    removed(32, 32, namespaced("coordination.k8s.io/v1alpha1", "leasecandidates", "LeaseCandidate")),
    removed(32, 32, namespaced("resource.k8s.io/v1alpha3", "podschedulingcontexts", "PodSchedulingContext")),
    removed(30, 33, cluster("networking.k8s.io/v1alpha1", "ipaddresses", "IPAddress")),
    removed(30, 33, cluster("networking.k8s.io/v1alpha1", "servicecidrs", "ServiceCIDR")),
    removed(31, 34, cluster("admissionregistration.k8s.io/v1beta1", "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding")),
    removed(34, 34, cluster("resource.k8s.io/v1alpha3", "deviceclasses", "DeviceClass")),
    removed(34, 34, namespaced("resource.k8s.io/v1alpha3", "resourceclaims", "ResourceClaim")),
    removed(34, 34, namespaced("resource.k8s.io/v1alpha3", "resourceclaimtemplates", "ResourceClaimTemplate")),
    removed(34, 34, cluster("resource.k8s.io/v1alpha3", "resourceslices", "ResourceSlice")),
    removed(32, 35, cluster("storage.k8s.io/v1alpha1", "volumeattributesclasses", "VolumeAttributesClass")),
    removed(33, 35, cluster("storagemigration.k8s.io/v1alpha1", "storageversionmigrations", "StorageVersionMigration")),
    removed(35, 35, namespaced("certificates.k8s.io/v1alpha1", "podcertificaterequests", "PodCertificateRequest")),
    removed(36, 36, namespaced("scheduling.k8s.io/v1alpha1", "workloads", "Workload")),
    removed(37, 37, namespaced("scheduling.k8s.io/v1alpha2", "podgroups", "PodGroup")),
    removed(37, 37, namespaced("scheduling.k8s.io/v1alpha2", "workloads", "Workload")),
    removed(35, 38, cluster("admissionregistration.k8s.io/v1alpha1", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding")),
    removed(35, 38, namespaced("coordination.k8s.io/v1alpha2", "leasecandidates", "LeaseCandidate")),
    removed(35, 38, cluster("resource.k8s.io/v1beta1", "deviceclasses", "DeviceClass")),
    removed(35, 38, namespaced("resource.k8s.io/v1beta1", "resourceclaimtemplates", "ResourceClaimTemplate")),
    removed(35, 38, cluster("resource.k8s.io/v1beta1", "resourceslices", "ResourceSlice")),
    removed(36, 39, namespaced("coordination.k8s.io/v1beta1", "leasecandidates", "LeaseCandidate")),
    removed(36, 39, cluster("resource.k8s.io/v1alpha3", "devicetaintrules", "DeviceTaintRule")),
    removed(36, 39, cluster("resource.k8s.io/v1beta2", "deviceclasses", "DeviceClass")),
    removed(36, 39, namespaced("resource.k8s.io/v1beta2", "resourceclaimtemplates", "ResourceClaimTemplate")),
    removed(36, 39, cluster("resource.k8s.io/v1beta2", "resourceslices", "ResourceSlice")),
    removed(37, 40, cluster("admissionregistration.k8s.io/v1beta1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy")),
    removed(37, 40, cluster("admissionregistration.k8s.io/v1beta1", "mutatingadmissionpolicybindings", "MutatingAdmissionPolicyBinding")),
];

/// Deprecated without a planned removal, each with the minor that deprecates it: no GA version is removed.
pub(crate) const DEPRECATED: &[(u32, Api)] = &[
    (19, cluster("v1", "componentstatuses", "ComponentStatus")),
    (33, namespaced("v1", "endpoints", "Endpoints")),
];

/// A kind, and what replaces older versions of it.
pub(super) struct Successor {
    pub(super) replaced: &'static str,
    /// The first minor that serves the replacement.
    pub(super) since: u32,
    pub(super) version: &'static str,
    pub(super) kind: &'static str,
}

const fn successor(replaced: &'static str, since: u32, version: &'static str) -> Successor {
    Successor { replaced, since, version, kind: replaced }
}

/// The replacements without a clause, the best of each kind first.
pub(super) const MORE_REPLACEMENTS: &[Successor] = &[
    successor("FlowSchema", 26, "flowcontrol.apiserver.k8s.io/v1beta3"),
    successor("PriorityLevelConfiguration", 26, "flowcontrol.apiserver.k8s.io/v1beta3"),
    successor("PodSecurityPolicy", 10, "policy/v1beta1"),
    successor("ControllerRevision", 9, "apps/v1"),
    successor("ValidatingAdmissionPolicyBinding", 30, "admissionregistration.k8s.io/v1"),
    successor("MutatingAdmissionPolicy", 36, "admissionregistration.k8s.io/v1"),
    successor("MutatingAdmissionPolicyBinding", 36, "admissionregistration.k8s.io/v1"),
    successor("ClusterTrustBundle", 33, "certificates.k8s.io/v1beta1"),
    successor("PodCertificateRequest", 35, "certificates.k8s.io/v1beta1"),
    successor("LeaseCandidate", 33, "coordination.k8s.io/v1beta1"),
    successor("LeaseCandidate", 32, "coordination.k8s.io/v1alpha2"),
    successor("DeviceClass", 34, "resource.k8s.io/v1"),
    successor("DeviceTaintRule", 37, "resource.k8s.io/v1"),
    successor("ResourceClaimTemplate", 34, "resource.k8s.io/v1"),
    successor("ResourceSlice", 34, "resource.k8s.io/v1"),
    successor("PodGroup", 37, "scheduling.k8s.io/v1beta1"),
    successor("Workload", 37, "scheduling.k8s.io/v1beta1"),
    successor("Workload", 36, "scheduling.k8s.io/v1alpha2"),
    successor("StorageVersionMigration", 35, "storagemigration.k8s.io/v1beta1"),
    Successor { kind: "EndpointSlice", ..successor("Endpoints", 21, "discovery.k8s.io/v1") },
];
