//! Dry runs and admission webhooks with side effects.
//!
//! The webhooks of these scenarios are nowhere: that a server calls one shows in that it cannot.

use super::dry;
use crate::prelude::*;

const GROUP: &str = "admissionregistration.k8s.io";
const CONFIGURATIONS: &str = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

/// The label that says which webhook is told of an object: the one in question, or one that is told of everything.
const LABEL: &str = "assay-told";
const ASKED: &str = "asked";
const ALWAYS: &str = "always";

rows![
    dryrun_side_effect_admission_fails.own_kinds(),
    dryrun_webhook_none_called.own_kinds(),
    dryrun_webhook_noneondryrun.own_kinds(),
];

/// A webhook that has these side effects, and is told of objects of one label in one namespace.
fn webhook(namespace: &str, told_of: &str, effects: &str, conditions: &Value) -> Value {
    let rule = json!({
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"],
    });
    json!({
        "name": format!("{told_of}.kube-assay.dev"),
        "sideEffects": effects,
        "failurePolicy": "Fail",
        "timeoutSeconds": 1,
        "admissionReviewVersions": ["v1"],
        "rules": [rule],
        "matchConditions": conditions,
        // Nobody listens there.
        "clientConfig": { "url": "https://127.0.0.1:1/" },
        "namespaceSelector": { "matchLabels": { "kubernetes.io/metadata.name": namespace } },
        "objectSelector": { "matchLabels": { LABEL: told_of } },
    })
}

/// Registers a webhook that has these side effects, beside one that is told of everything.
async fn register(cx: &Context, effects: &str, conditions: &Value) -> Result<Arc<Exchange>, Halt> {
    if !cx.target_info().serves(GROUP) {
        return Err(cx.lacks("AdmissionWebhooks", format!("it does not serve {GROUP}")));
    }
    let name = cx.own_name(&effects.to_lowercase());
    let namespace = cx.namespace().await?;
    let asked = webhook(namespace, ASKED, effects, conditions);
    let body = json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": "ValidatingWebhookConfiguration",
        "metadata": { "name": name, "labels": cx.own_labels() },
        "webhooks": [asked, webhook(namespace, ALWAYS, "None", &json!([]))],
    });
    cx.remove_in_the_end(&format!("{CONFIGURATIONS}/{name}"));
    cx.send(Request::post(CONFIGURATIONS, &body)).await
}

/// A create of an object of which a webhook is told; not yet sent.
fn create(collection: &Collection, told: &str) -> Request {
    let mut body = collection.body(told, "first");
    body["metadata"]["labels"] = json!({ LABEL: told });
    Request::post(collection.path(), &body)
}

/// Until creates fail for the webhook that is told of everything: a server may learn of it a little later.
async fn wait_until_called(cx: &Context, collection: &Collection) -> Checked {
    let called = cx.eventually(|| async {
        let answer = cx.send(create(collection, ALWAYS)).await?;
        Ok(failed(&answer).then_some(()))
    });
    called.await?.ok_or_else(|| Halt::Skipped("this server calls no webhooks".to_owned()))
}

/// Whether a request failed as it does where a webhook cannot be called.
fn failed(answer: &Exchange) -> bool {
    answer.status() >= 500
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

        cx.send(dry(create(&collection, ASKED))).await?.expect_refusal(&[400])?;
    }
    Ok(())
}

async fn dryrun_webhook_none_called(cx: Context) -> Checked {
    register(&cx, "None", &json!([])).await?.written()?;
    let collection = cx.configmaps().await?;
    wait_until_called(&cx, &collection).await?;

    let tried = cx.send(dry(create(&collection, ASKED))).await?;

    tried.expect(failed(&tried), "a failure: the webhook cannot be called", tried.brief())?;
    collection.get(ASKED).await?.expect_status(&[404])
}

async fn dryrun_webhook_noneondryrun(cx: Context) -> Checked {
    // A condition sees what the webhook is sent.
    let told = json!([{ "name": "dry", "expression": "request.dryRun" }]);
    register(&cx, "NoneOnDryRun", &told).await?.written()?;
    let collection = cx.configmaps().await?;
    wait_until_called(&cx, &collection).await?;

    let tried = cx.send(dry(create(&collection, ASKED))).await?;
    let real = cx.send(create(&collection, ASKED)).await?;

    let expected = "a failure: the webhook that is told of dry runs cannot be called";
    tried.expect(failed(&tried), expected, tried.brief())?;
    real.expect_status(&[201])
}
