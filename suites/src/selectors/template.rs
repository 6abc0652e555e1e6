//! Selectors and Pod templates of workloads.

use super::template;
use crate::deployments;
use crate::prelude::*;

rows![
    selectors_may_be_subset_of_template.own_kinds(),
    selectors_must_match_template.own_kinds(),
    selectors_labelselector_operators.own_kinds(),
    selectors_labelselector_values_rules.own_kinds(),
];

/// Creates a Deployment with this selector. Its template has the labels `app` and `extra`.
async fn create(cx: &Context, collection: &Collection, selector: &Value) -> Result<Arc<Exchange>, Halt> {
    let mut body = deployments::body("a");
    body["spec"]["selector"] = selector.clone();
    body["spec"]["template"] = template(&json!({ "app": "x", "extra": "y" }));
    cx.send(Request::post(collection.path(), &body)).await
}

/// A requirement of a selector.
fn expression(key: &str, operator: &str, values: &[&str]) -> Value {
    let mut expression = json!({ "key": key, "operator": operator });
    if !values.is_empty() {
        expression["values"] = json!(values);
    }
    expression
}

async fn selectors_may_be_subset_of_template(cx: Context, Deployments(collection): Deployments) -> Checked {
    create(&cx, &collection, &json!({ "matchLabels": { "app": "x" } })).await?.expect_status(&[201])
}

async fn selectors_must_match_template(cx: Context, Deployments(collection): Deployments) -> Checked {
    let other = json!({ "matchLabels": { "app": "y" } });
    expect_invalid(&cx, &collection, &other, "spec.template.metadata.labels").await
}

/// The Deployment is invalid, with a cause at a field of this suffix.
async fn expect_invalid(cx: &Context, collection: &Collection, selector: &Value, field: &str) -> Checked {
    let response = create(cx, collection, selector).await?;

    let status = response.expect_error(&[422], &["Invalid"])?;
    let causes = status["details"]["causes"].as_array().into_iter().flatten();
    let fields: Vec<_> = causes.filter_map(|cause| cause["field"].as_str()).collect();
    let named = fields.iter().any(|known| known.ends_with(field));
    response.expect(named, format!("a cause at {field}"), format!("{fields:?}"))?;
    expect_absent(collection, "a").await
}

async fn selectors_labelselector_operators(cx: Context, Deployments(collection): Deployments) -> Checked {
    let known = [
        expression("app", "In", &["x", "y"]),
        expression("extra", "NotIn", &["x"]),
        expression("app", "Exists", &[]),
        expression("none", "DoesNotExist", &[]),
    ];

    for operator in ["in", "Gt"] {
        let selector = json!({ "matchExpressions": [expression("app", operator, &["1"])] });
        expect_invalid(&cx, &collection, &selector, "matchExpressions[0].operator").await?;
    }
    create(&cx, &collection, &json!({ "matchExpressions": known })).await?.expect_status(&[201])
}

async fn selectors_labelselector_values_rules(cx: Context, Deployments(collection): Deployments) -> Checked {
    let invalid = [
        expression("app", "In", &[]),
        expression("app", "NotIn", &[]),
        expression("app", "Exists", &["x"]),
        expression("none", "DoesNotExist", &["x"]),
    ];

    for expression in invalid {
        let selector = json!({ "matchLabels": { "app": "x" }, "matchExpressions": [expression] });
        expect_invalid(&cx, &collection, &selector, "matchExpressions[0].values").await?;
    }
    Ok(())
}
