//! Selectors of Jobs.

use super::{expect_at, template};
use crate::prelude::*;

rows![
    selectors_job_unique_labels_generated.own_kinds(),
    selectors_job_generation_can_be_disabled.own_kinds(),
];

/// Creates a suspended Job with this spec. Skips where the server does not serve Jobs.
async fn create(cx: &Context, labels: &Value, spec: &Value) -> Result<Arc<Exchange>, Halt> {
    let jobs = cx.collection(Resource::of("batch", "v1", "jobs", "Job")).await?;
    let mut spec = spec.clone();
    spec["suspend"] = json!(true);
    spec["template"] = template(labels);
    spec["template"]["spec"]["restartPolicy"] = json!("Never");
    let body = json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": "a" }, "spec": spec });
    cx.send(Request::post(jobs.path(), &body)).await
}

const KEY: &str = "controller-uid";

async fn selectors_job_unique_labels_generated(cx: Context) -> Checked {
    let created = create(&cx, &json!({}), &json!({})).await?;

    created.expect_status(&[201])?;
    let job = created.object()?;
    let (spec, uid) = (&job.json()["spec"], job.metadata("uid"));
    let labels = spec["selector"]["matchLabels"].as_object().into_iter().flatten();
    let unique: Vec<_> = labels.filter(|(key, value)| key.ends_with(KEY) && **value == uid).collect();
    let expected = format!("a label with a key that ends in {KEY} and the value {uid} in the selector");
    created.expect(!unique.is_empty(), expected, spec["selector"].to_string())?;
    for (key, _) in unique {
        let labels = &spec["template"]["metadata"]["labels"];
        created.expect(labels[key] == uid, format!("{key}: {uid} in the template"), labels.to_string())?;
    }
    Ok(())
}

async fn selectors_job_generation_can_be_disabled(cx: Context) -> Checked {
    let labels = json!({ "a": "b" });
    let manual = json!({ "manualSelector": true, "selector": { "matchLabels": labels } });

    let created = create(&cx, &labels, &manual).await?;

    expect_at(&created, "/spec/selector/matchLabels", &labels)?;
    expect_at(&created, "/spec/template/metadata/labels", &labels)
}
