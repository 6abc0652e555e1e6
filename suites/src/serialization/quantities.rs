//! Quantities.

use crate::prelude::*;

rows![
    serialization_quantity_canonical.own_kinds(),
    serialization_quantity_number_accepted.own_kinds(),
    serialization_quantity_invalid_refused.own_kinds(),
];

fn quotas() -> Resource {
    Resource::core("resourcequotas", "ResourceQuota")
}

/// A create of a quota of these amounts. Skips where the server has none.
async fn create(cx: &Context, hard: &Value) -> Result<Arc<Exchange>, Halt> {
    let quotas = cx.collection(quotas()).await?;
    let body = json!({
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": { "name": NAME }, "spec": { "hard": hard },
    });
    cx.send(Request::post(quotas.path(), &body)).await
}

/// The amounts that are stored.
async fn expect_hard(cx: &Context, amounts: &[(&str, &[&str])]) -> Checked {
    let got = cx.collection(quotas()).await?.get(NAME).await?;
    let object = got.object()?;
    for (of, legal) in amounts {
        let shown = &object.json()["spec"]["hard"][*of];
        let right = shown.as_str().is_some_and(|shown| legal.contains(&shown));
        got.expect(right, format!("{of}: {:?}", legal[0]), shown.to_string())?;
        if shown != legal[0] {
            cx.note(format!("an amount of {} is shown as {shown}", legal[0]));
        }
    }
    Ok(())
}

/// Another form of the same amount is worth a note.
async fn serialization_quantity_canonical(cx: Context) -> Checked {
    let hard = json!({ "cpu": "1000m", "memory": "1024Mi", "pods": "0.5k" });

    create(&cx, &hard).await?.expect_status(&[201])?;

    expect_hard(&cx, &[("cpu", &["1", "1000m"]), ("memory", &["1Gi", "1024Mi"]), ("pods", &["500", "0.5k"])])
        .await
}

async fn serialization_quantity_number_accepted(cx: Context) -> Checked {
    create(&cx, &json!({ "pods": 5 })).await?.expect_status(&[201])?;

    expect_hard(&cx, &[("pods", &["5"])]).await
}

async fn serialization_quantity_invalid_refused(cx: Context) -> Checked {
    let refused = create(&cx, &json!({ "cpu": "ten" })).await?;

    refused.expect_refusal(&[400, 422])?;
    cx.collection(quotas()).await?.get(NAME).await?.expect_status(&[404])
}
