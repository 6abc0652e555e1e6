//! Dry runs and admission webhooks with side effects.
//!
//! No server listens at the URL of the webhooks: a request fails if the server calls one.

use super::dry;
use crate::prelude::*;

const GROUP: &str = "admissionregistration.k8s.io";
const CONFIGURATIONS: &str = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/// The label that selects a webhook for an object: the webhook under test, or one without side effects.
const LABEL: &str = "assay-webhook";
const TESTED: &str = "tested";
const ALWAYS: &str = "always";

rows![
    dryrun_side_effect_admission_fails.own_kinds(),
    dryrun_webhook_none_called.own_kinds(),
    dryrun_webhook_noneondryrun.own_kinds(),
];

/// A webhook with these side effects, for objects with one label in one namespace.
fn webhook(namespace: &str, label: &str, effects: &str, conditions: &Value) -> Value {
    let rule = json!({
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
    });
    json!({
        "name": format!("{label}.kube-assay.dev"),
        "sideEffects": effects,
        "failurePolicy": "Fail",
        "timeoutSeconds": 1,
        "admissionReviewVersions": ["v1"],
        "rules": [rule],
        "matchConditions": conditions,
        "clientConfig": { "url": "https://127.0.0.1:1/" },
        "namespaceSelector": { "matchLabels": { "kubernetes.io/metadata.name": namespace } },
        "objectSelector": { "matchLabels": { LABEL: label } },
    })
}

/// Registers the webhook under test with these side effects, and one without.
async fn register(cx: &Context, effects: &str, conditions: &Value) -> Result<Arc<Exchange>, Halt> {
    if !cx.target_info().serves(GROUP) {
        return Err(cx.lacks("AdmissionWebhooks", format!("it does not serve {GROUP}")));
    }
    let name = cx.own_name(&effects.to_lowercase());
    let namespace = cx.namespace().await?;
    let tested = webhook(namespace, TESTED, effects, conditions);
    let body = json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": "ValidatingWebhookConfiguration",
        "metadata": { "name": name, "labels": cx.own_labels() },
        "webhooks": [tested, webhook(namespace, ALWAYS, "None", &json!([]))],
    });
    cx.remove_in_the_end(&format!("{CONFIGURATIONS}/{name}"));
    cx.send(Request::post(CONFIGURATIONS, &body)).await
}

/// A create of an object that the webhook of this label admits; not yet sent.
fn create(collection: &Collection, label: &str) -> Request {
    let mut body = collection.body(label, "first");
    body["metadata"]["labels"] = json!({ LABEL: label });
    Request::post(collection.path(), &body)
}

/// Waits until creates fail because of the webhook without side effects. Skips if they do not in time.
async fn wait_until_called(cx: &Context, collection: &Collection) -> Checked {
    let called = cx.eventually(|| async {
        let response = cx.send(create(collection, ALWAYS)).await?;
        Ok(failed(&response).then_some(()))
    });
    called.await?.ok_or_else(|| Halt::skip("the server calls no webhooks"))
}

/// Whether a request failed because the server could not call a webhook.
fn failed(response: &Exchange) -> bool {
    response.status() >= 500
}

async fn dryrun_side_effect_admission_fails(cx: Context) -> Checked {
    for effects in ["Some", "Unknown"] {
        let registered = register(&cx, effects, &json!([])).await?;
        if registered.status() == 422 {
            continue;
        }
        registered.expect_status(&[201, 422])?;
        let collection = cx.configmaps().await?;
        wait_until_called(&cx, &collection).await?;

        cx.send(dry(create(&collection, TESTED))).await?.expect_rejection(&[400])?;
    }
    Ok(())
}

async fn dryrun_webhook_none_called(cx: Context) -> Checked {
    register(&cx, "None", &json!([])).await?.written()?;
    let collection = cx.configmaps().await?;
    wait_until_called(&cx, &collection).await?;

    let tried = cx.send(dry(create(&collection, TESTED))).await?;

    tried.expect(failed(&tried), "HTTP 5xx: the server cannot call the webhook", tried.brief())?;
    collection.get(TESTED).await?.expect_status(&[404])
}

async fn dryrun_webhook_noneondryrun(cx: Context) -> Checked {
    // The condition matches dry runs alone.
    let conditions = json!([{ "name": "dry", "expression": "request.dryRun" }]);
    let registered = register(&cx, "NoneOnDryRun", &conditions).await?.written()?;
    let kept = registered.json()["webhooks"][0]["matchConditions"].is_array();
    Halt::skip_unless(kept, "the server drops matchConditions of webhooks")?;
    let collection = cx.configmaps().await?;
    wait_until_called(&cx, &collection).await?;

    let tried = cx.send(dry(create(&collection, TESTED))).await?;
    let real = cx.send(create(&collection, TESTED)).await?;

    let expected = "HTTP 5xx: the server cannot call the webhook for dry runs";
    tried.expect(failed(&tried), expected, tried.brief())?;
    real.expect_status(&[201])
}
