//! The fixture of Pods, which no kubelet runs.

use crate::prelude::*;

/// A node that does not exist, so that no kubelet changes its Pods.
pub(crate) const NODE: &str = "kube-assay-no-such-node";

/// Number of 429 in a row after which the last is the response to an eviction, with or without a budget.
const REFUSALS: usize = 3;

/// Those of the scenario's namespace. Skips where the server has none.
pub(crate) async fn collection(cx: &Context) -> Result<Collection, Halt> {
    cx.collection(Resource::core("pods", "Pod")).await
}

/// Creates the account that a Pod needs. A controller may have created it, and not every server needs one.
pub(crate) async fn create_account(cx: &Context, pods: &Collection) -> Checked {
    let accounts = pods.path().replace("/pods", "/serviceaccounts");
    let account = json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": "default" } });
    cx.send(Request::post(accounts, &account)).await.map(drop)
}

/// The Pods of the scenario's namespace, which has their service account.
pub(crate) struct Pods(pub(crate) Collection);

impl Fixture for Pods {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let pods = collection(cx).await?;
        create_account(cx, &pods).await?;
        Ok(Self(pods))
    }
}

/// Creates a Pod, and the account that it needs; a failure is a test error.
pub(crate) async fn create(cx: &Context, pods: &Collection, pod: &Value) -> Result<Object, Halt> {
    create_account(cx, pods).await?;
    pods.create_body(pod).await
}

/// A Pod that never runs: no scheduler takes it, and its image does not exist. It keeps the strictest rules for Pods.
pub(crate) fn idle(name: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": { "name": name },
        "spec": {
            "schedulerName": "kube-assay.dev-none",
            "automountServiceAccountToken": false,
            "securityContext": { "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } },
            "containers": [{
                "name": "none",
                "image": "kube-assay.dev/none:none",
                "resources": { "limits": { "cpu": "1m", "memory": "1Mi" } },
                "securityContext": { "allowPrivilegeEscalation": false, "capabilities": { "drop": ["ALL"] } },
            }],
        },
    })
}

/// What gives a Pod a node, which is not there; not yet sent.
pub(crate) fn binding(pods: &Collection, name: &str) -> Request {
    let node = json!({ "apiVersion": "v1", "kind": "Node", "name": NODE });
    let body = json!({ "apiVersion": "v1", "kind": "Binding", "metadata": { "name": name }, "target": node });
    Request::post(format!("{}/binding", pods.path_of(name)), &body)
}

/// What ends a Pod as far as its budget allows, at once; not yet sent.
pub(crate) fn eviction(pods: &Collection, name: &str) -> Request {
    eviction_with(pods, name, &json!({ "gracePeriodSeconds": 0 }))
}

/// The same as a dry run by its options; not yet sent.
pub(crate) fn dry_eviction(pods: &Collection, name: &str) -> Request {
    eviction_with(pods, name, &json!({ "gracePeriodSeconds": 0, "dryRun": ["All"] }))
}

fn eviction_with(pods: &Collection, name: &str, options: &Value) -> Request {
    let body = json!({
        "apiVersion": "policy/v1", "kind": "Eviction", "metadata": { "name": name }, "deleteOptions": options,
    });
    Request::post(format!("{}/eviction", pods.path_of(name)), &body)
}

/// A Pod with the status Running, and a budget that forbids its eviction.
pub(crate) struct GuardedPod {
    cx: Context,
    pub(crate) pods: Collection,
    pub(crate) budgets: Collection,
}

/// The labels of the Pod.
fn guarded_labels() -> Value {
    json!({ "assay": "guarded" })
}

impl GuardedPod {
    /// Creates both. Skips where the server has no budgets.
    pub(crate) async fn create(cx: &Context) -> Result<Self, Halt> {
        Self::with_selector(cx, &json!({ "matchLabels": guarded_labels() })).await
    }

    /// The same, with this selector of the budget.
    pub(crate) async fn with_selector(cx: &Context, selector: &Value) -> Result<Self, Halt> {
        let pods = collection(cx).await?;
        cx.require_feature("Eviction", cx.target_info().serves("policy"), "it does not serve policy")?;
        let budgets = Resource::of("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget");
        let budget = json!({
            "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": { "name": "a" },
            "spec": { "minAvailable": 1, "selector": selector },
        });
        let budgets = cx.collection(budgets).await?;
        budgets.create_body(&budget).await?;
        let mut pod = idle("a");
        pod["metadata"]["labels"] = guarded_labels();
        create(cx, &pods, &pod).await?;
        let ready = json!({ "type": "Ready", "status": "True" });
        let running = json!({ "status": { "phase": "Running", "conditions": [ready] } });
        cx.send(Request::merge_patch(pods.status_path_of("a"), &running)).await?.written()?;
        Ok(Self { cx: cx.clone(), pods, budgets })
    }

    /// Evicts the Pod. A server that is too busy to check the budget returns 429 as well: then this sends the request again.
    pub(crate) async fn evict(&self) -> Result<Arc<Exchange>, Halt> {
        let mut refusals = 0;
        let meant = |refused: &Exchange| {
            refusals += 1;
            names_a_budget(refused) || refusals == REFUSALS
        };
        self.cx.send_unless(eviction(&self.pods, "a"), meant).await
    }
}

/// Whether an error response names a budget as its cause.
pub(crate) fn names_a_budget(refused: &Exchange) -> bool {
    let causes = refused.json().and_then(|status| status["details"]["causes"].as_array());
    causes.is_some_and(|causes| causes.iter().any(|one| one["reason"] == "DisruptionBudget"))
}
