//! Workloads of `apps`: removed fields, the selector, and defaults.

use super::creation::{Creations, INVALID, Outcome, REQUIRED, accepted, create, creations, invalid};
use super::draft::Draft;
use super::manifest::{Manifest, REMOVED, manifest};
use crate::pods;
use crate::prelude::*;
use crate::removed_apis::api::namespaced;

pub(super) fn rows() -> Vec<Row> {
    table(CREATIONS, Kinds::Own, create)
        .into_iter()
        .chain(table(IMMUTABLE, Kinds::Own, immutable))
        .chain([row!(migrated_fields_deployment_rollbackto_removed).own_kinds()])
        .collect()
}

/// A workload without Pods.
const fn workload(plural: &'static str, kind: &'static str) -> Manifest {
    manifest(namespaced("apps/v1", plural, kind), |_, _| json!({ "spec": spec("replicas", &json!(0)) }))
}

/// A spec with a selector, a template, and one more field.
fn spec(field: &str, value: &Value) -> Value {
    let labels = json!({ "assay": "first" });
    let template = json!({ "metadata": { "labels": labels }, "spec": pods::idle(NAME)["spec"] });
    json!({ "selector": { "matchLabels": labels }, "template": template, field: value })
}

const DEPLOYMENT: Manifest = workload("deployments", "Deployment");
const REPLICA_SET: Manifest = workload("replicasets", "ReplicaSet");
const STATEFUL_SET: Manifest = manifest(namespaced("apps/v1", "statefulsets", "StatefulSet"), |_, _| {
    let mut spec = spec("replicas", &json!(0));
    spec["serviceName"] = "none".into();
    json!({ "spec": spec })
});
/// No node has the label that the template selects.
const DAEMON_SET: Manifest = manifest(namespaced("apps/v1", "daemonsets", "DaemonSet"), |_, _| {
    let mut spec = spec("minReadySeconds", &json!(0));
    spec["template"]["spec"]["nodeSelector"] = json!({ "kube-assay.dev/none": "none" });
    json!({ "spec": spec })
});

const DEPLOYMENTS: &[Manifest] = &[DEPLOYMENT];
const DAEMON_SETS: &[Manifest] = &[DAEMON_SET];
const STATEFUL_SETS: &[Manifest] = &[STATEFUL_SET];
const NO_SELECTOR: &[(&str, &str)] = &[("/spec/selector", REMOVED)];
const DEADLINE: &str = "/spec/progressDeadlineSeconds";
const HISTORY: &str = "/spec/revisionHistoryLimit";

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-daemonset-templategeneration-removed", creations(DAEMON_SETS, &[
        accepted(&[("/spec/templateGeneration", "5")], &[("/spec/templateGeneration", "null")]).unknown(&["spec.templateGeneration"]),
    ])),
    // kube-apiserver names the labels of the template, not the selector.
    ("migrated-fields-daemonset-selector-required", creations(DAEMON_SETS, &[invalid(NO_SELECTOR, INVALID, &[])])),
    ("migrated-fields-daemonset-updatestrategy-default", creations(DAEMON_SETS, &[
        accepted(&[], &[
            ("/spec/updateStrategy/type", r#""RollingUpdate""#), ("/spec/updateStrategy/rollingUpdate/maxUnavailable", "1"),
            ("/spec/updateStrategy/rollingUpdate/maxSurge", "0"),
        ]),
    ])),
    ("migrated-fields-deployment-selector-required", creations(DEPLOYMENTS, &[invalid(NO_SELECTOR, REQUIRED, &["spec.selector"])])),
    ("migrated-fields-deployment-progressdeadline-default", creations(DEPLOYMENTS, &[accepted(&[], &[(DEADLINE, "600")])])),
    ("migrated-fields-deployment-revisionhistorylimit-default", creations(DEPLOYMENTS, &[
        accepted(&[], &[(HISTORY, "10")]),
        accepted(&[(HISTORY, "0")], &[(HISTORY, "0")]),
    ])),
    ("migrated-fields-deployment-surge-default", creations(DEPLOYMENTS, &[
        accepted(&[], &[
            ("/spec/strategy/type", r#""RollingUpdate""#), ("/spec/strategy/rollingUpdate/maxUnavailable", r#""25%""#),
            ("/spec/strategy/rollingUpdate/maxSurge", r#""25%""#),
        ]),
        accepted(&[("/spec/strategy", r#"{"type":"Recreate"}"#)], &[
            ("/spec/strategy/type", r#""Recreate""#), ("/spec/strategy/rollingUpdate", "null"),
        ]),
    ])),
    ("migrated-fields-statefulset-selector-required", creations(STATEFUL_SETS, &[invalid(NO_SELECTOR, REQUIRED, &["spec.selector"])])),
    ("migrated-fields-statefulset-updatestrategy-default", creations(STATEFUL_SETS, &[
        accepted(&[], &[("/spec/updateStrategy/type", r#""RollingUpdate""#), ("/spec/updateStrategy/rollingUpdate/partition", "0")]),
    ])),
    ("migrated-fields-replicaset-selector-required", creations(&[REPLICA_SET], &[invalid(NO_SELECTOR, REQUIRED, &["spec.selector"])])),
];

#[rustfmt::skip]
const IMMUTABLE: &[(&str, Manifest)] = &[
    ("migrated-fields-daemonset-selector-immutable",   DAEMON_SET),
    ("migrated-fields-deployment-selector-immutable",  DEPLOYMENT),
    ("migrated-fields-statefulset-selector-immutable", STATEFUL_SET),
    ("migrated-fields-replicaset-selector-immutable",  REPLICA_SET),
];

async fn immutable(cx: Context, workload: Manifest) -> Checked {
    let draft = Draft::of(&cx, workload).await?;
    draft.store(&[]).await?;
    let labels = json!({ "assay": "second" });
    let both = json!({ "spec": { "selector": { "matchLabels": labels }, "template": { "metadata": { "labels": labels } } } });

    let patch = Request::merge_patch(draft.object_path(), &both).query("dryRun", "All");

    Outcome::Invalid(INVALID, &[]).expect(&*draft.send("patch", patch).await?)
}

async fn migrated_fields_deployment_rollbackto_removed(cx: Context) -> Checked {
    let draft = Draft::of(&cx, DEPLOYMENT).await?;
    let removed = accepted(&[("/spec/rollbackTo", r#"{"revision":1}"#)], &[("/spec/rollbackTo", "null")]);
    removed.unknown(&["spec.rollbackTo"]).run(&draft).await?;

    draft.store(&[]).await?;
    let rollback =
        json!({ "apiVersion": "apps/v1", "kind": "DeploymentRollback", "name": NAME, "rollbackTo": {} });
    cx.send(Request::post(format!("{}/rollback", draft.object_path()), &rollback))
        .await?
        .expect_status(&[404])
}
