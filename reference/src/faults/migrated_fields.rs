//! Faults of migrated fields: old names, defaults, and rules of before.

mod edits;

use serde_json::json;

use self::edits::{fill, fill_selector, remove, rename, replace};
use crate::fault::{Edit, Edit::*, Fault, When, When::*, json_body, on};

/// A change of the request's JSON.
macro_rules! request {
    ($edit:expr) => {
        EditRequest(|parts, body| json_body(parts, body, $edit))
    };
}

/// A field that is absent gets a value.
macro_rules! fills {
    ($pointer:literal, $value:tt) => {
        request!(|object| fill(object, $pointer, &json!($value)))
    };
}

/// An old name of a field is an alias.
macro_rules! renames {
    ($parent:literal, $old:literal, $new:literal) => {
        request!(|object| rename(object, $parent, $old, $new))
    };
}

/// A value that is not one of these is replaced by the first.
macro_rules! permits {
    ($pointer:literal, $values:tt) => {
        request!(|object| replace(object, $pointer, &$values))
    };
}

const POST: When = Method("POST");
const PATCH: When = Method("PATCH");
const LEVELS: When = Plural("prioritylevelconfigurations");
const SLICES: When = Plural("endpointslices");
const IN_GROUP: When = PathPrefix("/apis/events.k8s.io/");
const CORE_EVENT: &[When] = &[Method("GET"), PathPrefix("/api/v1/"), Plural("events"), Object];
const BUDGETS: When = Plural("poddisruptionbudgets");
const WEBHOOKS: When = PathPrefix("/apis/admissionregistration.k8s.io/v1/");
const DEFINITIONS: When = Plural("customresourcedefinitions");
const REQUESTS: When = Plural("certificatesigningrequests");
const INGRESSES: When = Plural("ingresses");
const DAEMON_SETS: When = Plural("daemonsets");
const DEPLOYMENTS: When = Plural("deployments");
const REPLICA_SETS: When = Plural("replicasets");
const STATEFUL_SETS: When = Plural("statefulsets");
const SELECTOR: Edit = request!(fill_selector);
/// Nothing of the patch remains.
const SAME_SPEC: Edit = RemoveFromRequest("/spec");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    // Flow control.
    on("migrated-fields-plc-shares-default", "a priority level has no shares by default", &[POST, LEVELS], &[fills!("/spec/limited/nominalConcurrencyShares", 0)]),
    on("migrated-fields-plc-shares-explicit-zero", "zero shares of a priority level become 30", &[LEVELS], &[request!(edits::replace_zero_shares)]),
    on("migrated-fields-plc-shares-renamed", "assuredConcurrencyShares is an alias in v1", &[POST, LEVELS], &[renames!("/spec/limited", "assuredConcurrencyShares", "nominalConcurrencyShares")]),
    on("migrated-fields-plc-shares-renamed-v1beta3", "a server up to 1.31 knows assuredConcurrencyShares in v1beta3", &[PathPrefix("/apis/flowcontrol.apiserver.k8s.io/v1beta3")],
        &[ReplaceInPath("v1beta3", "v1"), request!(edits::convert_v1beta3)]),
    // Endpoint slices.
    on("migrated-fields-endpointslice-nodename", "the server drops nodeName", &[POST, SLICES], &[RemoveFromRequest("/endpoints/0/nodeName")]),
    on("migrated-fields-endpointslice-zone", "the server drops zone", &[POST, SLICES], &[RemoveFromRequest("/endpoints/0/zone")]),
    on("migrated-fields-endpointslice-deprecatedtopology-not-writable", "the server does not know deprecatedTopology", &[POST, SLICES], &[renames!("/endpoints/0", "deprecatedTopology", "topology")]),
    on("migrated-fields-endpointslice-topology-renamed", "topology is an alias of deprecatedTopology", &[POST, SLICES], &[renames!("/endpoints/0", "topology", "deprecatedTopology")]),
    // Events.
    on("migrated-fields-event-valid", "the server rejects events of events.k8s.io", &[POST, IN_GROUP, StatusIs(201)], &[Fail(422, "Invalid", "the event is invalid")]),
    on("migrated-fields-event-type", "an event of events.k8s.io has any type", &[POST, IN_GROUP], &[permits!("/type", ["Normal", "Warning"]), fills!("/type", "Normal")]),
    on("migrated-fields-event-regarding", "involvedObject is an alias in events.k8s.io", &[POST, IN_GROUP], &[renames!("", "involvedObject", "regarding")]),
    on("migrated-fields-event-required-action", "an event needs no action", &[POST, IN_GROUP], &[fills!("/action", "Unknown")]),
    on("migrated-fields-event-required-reason", "an event needs no reason", &[POST, IN_GROUP], &[fills!("/reason", "Unknown")]),
    on("migrated-fields-event-required-reportingcontroller", "an event needs no reportingController", &[POST, IN_GROUP], &[fills!("/reportingController", "unknown")]),
    on("migrated-fields-event-required-reportinginstance", "an event needs no reportingInstance", &[POST, IN_GROUP], &[fills!("/reportingInstance", "unknown")]),
    on("migrated-fields-event-eventtime", "the server fills in eventTime", &[POST, IN_GROUP], &[fills!("/eventTime", "2026-01-01T00:00:00.000000Z")]),
    on("migrated-fields-event-deprecatedfirsttimestamp", "a new event may have deprecatedFirstTimestamp", &[POST, IN_GROUP], &[RemoveFromRequest("/deprecatedFirstTimestamp")]),
    on("migrated-fields-event-deprecatedlasttimestamp", "events.k8s.io does not show the lastTimestamp of core events", &[IN_GROUP, Object], &[Remove("/deprecatedLastTimestamp")]),
    on("migrated-fields-event-deprecatedcount", "a new event may have deprecatedCount", &[POST, IN_GROUP], &[RemoveFromRequest("/deprecatedCount")]),
    on("migrated-fields-event-deprecatedsource-component", "events.k8s.io shows other objects than the core group", &[IN_GROUP, Object], &[Set("/metadata/uid", "\"00000000-0000-4000-8000-00000000000c\"")]),
    on("migrated-fields-event-deprecatedsource-host", "a new event may have deprecatedSource.host", &[POST, IN_GROUP], &[RemoveFromRequest("/deprecatedSource/host")]),
    on("migrated-fields-event-series-lastobservedtime", "a series needs no lastObservedTime", &[POST, IN_GROUP], &[fills!("/series/lastObservedTime", "2026-01-01T00:00:00.000000Z")]),
    on("migrated-fields-event-series-count", "a series may have one event", &[POST, IN_GROUP], &[request!(edits::extend_series)]),
    on("migrated-fields-event-reportingcontroller-replaces-source", "the server copies reportingController to source.component", CORE_EVENT, &[EditJson(edits::copy_reporter)]),
    on("migrated-fields-event-reportinginstance-replaces-source", "the core group does not show reportingInstance", CORE_EVENT, &[Remove("/reportingInstance")]),
    // Disruption budgets.
    on("migrated-fields-pdb-empty-selector-selects-all", "an empty selector of a budget selects no Pod", &[BUDGETS], &[request!(edits::select_nothing), EditJson(edits::show_empty_selector)]),
    on("migrated-fields-pdb-unset-selector-selects-none", "the selector of a budget is empty by default", &[POST, BUDGETS], &[request!(edits::select_all)]),
    // Webhooks.
    on("migrated-fields-webhook-failurepolicy-default", "failurePolicy defaults to Ignore", &[POST, WEBHOOKS], &[fills!("/webhooks/0/failurePolicy", "Ignore")]),
    on("migrated-fields-webhook-matchpolicy-default", "matchPolicy defaults to Exact", &[POST, WEBHOOKS], &[fills!("/webhooks/0/matchPolicy", "Exact")]),
    on("migrated-fields-webhook-timeout-default", "timeoutSeconds defaults to 30", &[POST, WEBHOOKS], &[fills!("/webhooks/0/timeoutSeconds", 30)]),
    on("migrated-fields-webhook-sideeffects-required", "sideEffects has a default", &[POST, WEBHOOKS], &[fills!("/webhooks/0/sideEffects", "None")]),
    on("migrated-fields-webhook-sideeffects-values", "a webhook may have side effects", &[POST, WEBHOOKS], &[permits!("/webhooks/0/sideEffects", ["None", "NoneOnDryRun"])]),
    on("migrated-fields-webhook-reviewversions-required", "admissionReviewVersions has a default", &[POST, WEBHOOKS], &[request!(edits::fill_review_versions)]),
    on("migrated-fields-webhook-reviewversions-supported", "the versions of AdmissionReview may all be unknown", &[POST, WEBHOOKS], &[request!(edits::add_known_review)]),
    on("migrated-fields-webhook-names-unique", "two webhooks may have the same name", &[POST, WEBHOOKS], &[request!(edits::rename_second_webhook)]),
    // Custom resource definitions.
    on("migrated-fields-crd-scope-required", "scope defaults to Namespaced", &[POST, DEFINITIONS], &[fills!("/spec/scope", "Namespaced")]),
    on("migrated-fields-crd-spec-version-removed", "spec.version creates a version", &[POST, DEFINITIONS], &[request!(edits::create_version)]),
    on("migrated-fields-crd-spec-validation-removed", "spec.validation applies to all versions", &[POST, DEFINITIONS], &[request!(edits::apply_validation)]),
    on("migrated-fields-crd-spec-subresources-removed", "spec.subresources applies to all versions", &[POST, DEFINITIONS], &[request!(|crd| edits::copy_to_versions(crd, "subresources"))]),
    on("migrated-fields-crd-spec-printercolumns-removed", "spec.additionalPrinterColumns applies to all versions", &[POST, DEFINITIONS], &[request!(|crd| edits::copy_to_versions(crd, "additionalPrinterColumns"))]),
    on("migrated-fields-crd-conversion-webhook-clientconfig-moved", "the server accepts webhookClientConfig", &[POST, DEFINITIONS], &[request!(edits::move_client)]),
    on("migrated-fields-crd-conversion-reviewversions-moved", "the versions of ConversionReview default to v1beta1", &[POST, DEFINITIONS], &[fills!("/spec/conversion/webhook/conversionReviewVersions", ["v1beta1"])]),
    on("migrated-fields-crd-schema-required", "a version needs no schema", &[POST, DEFINITIONS], &[fills!("/spec/versions/0/schema", { "openAPIV3Schema": { "type": "object" } })]),
    on("migrated-fields-crd-schema-structural", "a schema needs no types", &[POST, DEFINITIONS], &[request!(edits::add_types)]),
    on("migrated-fields-crd-preserveunknownfields-true-refused", "preserveUnknownFields may be true", &[POST, DEFINITIONS], &[RemoveFromRequest("/spec/preserveUnknownFields")]),
    on("migrated-fields-crd-preserveunknownfields-in-schema", "the server prunes fields that a schema preserves", &[POST, Custom], &[RemoveFromRequest("/other")]),
    on("migrated-fields-crd-printercolumn-jsonpath-renamed", "names of fields are not case-sensitive", &[POST, DEFINITIONS], &[renames!("/spec/versions/0/additionalPrinterColumns/0", "JSONPath", "jsonPath")]),
    // Reviews.
    on("migrated-fields-sar-groups-renamed", "spec.group is an alias of spec.groups", &[POST, PathPrefix("/apis/authorization.k8s.io/v1/")], &[renames!("/spec", "group", "groups")]),
    // Certificates.
    on("migrated-fields-csr-signername-required", "signerName has a default", &[POST, REQUESTS], &[fills!("/spec/signerName", "example.com/default")]),
    on("migrated-fields-csr-legacy-unknown-refused", "the server accepts the legacy signer", &[POST, REQUESTS], &[permits!("/spec/signerName", ["kube-assay.dev/none"])]),
    on("migrated-fields-csr-usages-required", "usages have a default", &[POST, REQUESTS], &[request!(edits::fill_usages)]),
    on("migrated-fields-csr-usages-no-duplicates", "usages may have duplicates", &[POST, REQUESTS], &[request!(|csr| edits::remove_duplicates(csr, "/spec/usages"))]),
    on("migrated-fields-csr-usages-known", "any string is a usage", &[POST, REQUESTS], &[permits!("/spec/usages/0", ["client auth"])]),
    on("migrated-fields-csr-conditions-no-duplicate-types", "conditions may have duplicates", &[REQUESTS, Subresource("approval")], &[RemoveFromRequest("/status/conditions/1")]),
    on("migrated-fields-csr-conditions-status-required", "the status of a condition defaults to True", &[REQUESTS, Subresource("approval")], &[fills!("/status/conditions/0/status", "True")]),
    on("migrated-fields-csr-certificate-pem", "a certificate is any bytes", &[REQUESTS, Subresource("status")], &[request!(|csr| edits::hide_certificate(csr, |text| !text.contains("-----BEGIN ")))]),
    on("migrated-fields-csr-certificate-only-certificate-blocks", "a certificate may have other blocks", &[REQUESTS, Subresource("status")], &[request!(|csr| edits::hide_certificate(csr, |text| text.contains("PRIVATE KEY")))]),
    // Ingresses.
    on("migrated-fields-ingress-defaultbackend-renamed", "spec.backend is an alias of spec.defaultBackend", &[POST, INGRESSES], &[renames!("/spec", "backend", "defaultBackend")]),
    on("migrated-fields-ingress-backend-service-name", "the server accepts serviceName and servicePort", &[POST, INGRESSES], &[request!(edits::convert_backend)]),
    on("migrated-fields-ingress-backend-port-number", "the server converts a text into the number of a port", &[POST, INGRESSES], &[request!(edits::parse_port)]),
    on("migrated-fields-ingress-backend-port-name", "a port may have a name and a number", &[POST, INGRESSES], &[request!(edits::choose_port_name)]),
    on("migrated-fields-ingress-pathtype-required", "pathType has a default", &[POST, INGRESSES], &[fills!("/spec/rules/0/http/paths/0/pathType", "ImplementationSpecific")]),
    on("migrated-fields-ingress-pathtype-values", "a path may have any type", &[POST, INGRESSES], &[permits!("/spec/rules/0/http/paths/0/pathType", ["Prefix", "Exact", "ImplementationSpecific"])]),
    on("migrated-fields-ingress-pathtype-implementationspecific", "path is required for every type", &[POST, INGRESSES], &[request!(edits::require_path)]),
    // Workloads.
    on("migrated-fields-daemonset-templategeneration-removed", "the server keeps templateGeneration", &[POST, DAEMON_SETS, StatusIs(201)], &[Set("/spec/templateGeneration", "5")]),
    on("migrated-fields-daemonset-selector-required", "the selector of a DaemonSet defaults to its labels", &[POST, DAEMON_SETS], &[SELECTOR]),
    on("migrated-fields-daemonset-selector-immutable", "the selector of a DaemonSet can change", &[PATCH, DAEMON_SETS], &[SAME_SPEC]),
    on("migrated-fields-daemonset-updatestrategy-default", "updateStrategy of a DaemonSet defaults to OnDelete", &[POST, DAEMON_SETS], &[fills!("/spec/updateStrategy", { "type": "OnDelete" })]),
    on("migrated-fields-deployment-rollbackto-removed", "Deployments have the subresource rollback", &[POST, Subresource("rollback")],
        &[Respond(201, "application/json", r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}"#)]),
    on("migrated-fields-deployment-selector-required", "the selector of a Deployment defaults to its labels", &[POST, DEPLOYMENTS], &[SELECTOR]),
    on("migrated-fields-deployment-selector-immutable", "the selector of a Deployment can change", &[PATCH, DEPLOYMENTS], &[SAME_SPEC]),
    on("migrated-fields-deployment-progressdeadline-default", "progressDeadlineSeconds has no default", &[POST, DEPLOYMENTS], &[Remove("/spec/progressDeadlineSeconds")]),
    on("migrated-fields-deployment-revisionhistorylimit-default", "revisionHistoryLimit turns 0 into 10", &[POST, DEPLOYMENTS], &[request!(|object| remove(object, "/spec/revisionHistoryLimit", &json!(0)))]),
    on("migrated-fields-deployment-surge-default", "maxSurge defaults to 1", &[POST, DEPLOYMENTS], &[fills!("/spec/strategy", { "rollingUpdate": { "maxSurge": 1 } })]),
    on("migrated-fields-statefulset-selector-required", "the selector of a StatefulSet defaults to its labels", &[POST, STATEFUL_SETS], &[SELECTOR]),
    on("migrated-fields-statefulset-selector-immutable", "the selector of a StatefulSet can change", &[PATCH, STATEFUL_SETS], &[SAME_SPEC]),
    on("migrated-fields-statefulset-updatestrategy-default", "updateStrategy of a StatefulSet defaults to OnDelete", &[POST, STATEFUL_SETS], &[fills!("/spec/updateStrategy", { "type": "OnDelete" })]),
    on("migrated-fields-replicaset-selector-required", "the selector of a ReplicaSet defaults to its labels", &[POST, REPLICA_SETS], &[SELECTOR]),
    on("migrated-fields-replicaset-selector-immutable", "the selector of a ReplicaSet can change", &[PATCH, REPLICA_SETS], &[SAME_SPEC]),
];
