//! Selectors and Pod templates of workloads.

use super::template;
use crate::deployments;
use crate::prelude::*;
use crate::unchanged_object::expect_absent;

rows![
    selectors_may_be_subset_of_template.own_kinds(),
    selectors_must_match_template.own_kinds(),
    selectors_labelselector_operators.own_kinds(),
    selectors_labelselector_values_rules.own_kinds(),
];

/// A Deployment of Pods that are labelled `app` and `extra`, with this selector; not yet sent.
fn selecting(selector: &Value) -> Value {
    let mut body = deployments::body("a");
    body["spec"]["selector"] = selector.clone();
    body["spec"]["template"] = template(&json!({ "app": "x", "extra": "y" }));
    body
}

/// An expression of a selector.
fn expression(key: &str, operator: &str, values: &[&str]) -> Value {
    let mut expression = json!({ "key": key, "operator": operator });
    if !values.is_empty() {
        expression["values"] = json!(values);
    }
    expression
}

async fn selectors_may_be_subset_of_template(cx: Context, Deployments(collection): Deployments) -> Checked {
    let body = selecting(&json!({ "matchLabels": { "app": "x" } }));

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    created.expect_status(&[201])
}

async fn selectors_must_match_template(cx: Context, Deployments(collection): Deployments) -> Checked {
    let other = selecting(&json!({ "matchLabels": { "app": "y" } }));
    is_refused(&cx, &collection, &other, "spec.template.metadata.labels").await
}

/// The Deployment is invalid, for a cause at a field that ends like this.
async fn is_refused(cx: &Context, collection: &Collection, body: &Value, field: &str) -> Checked {
    let refused = cx.send(Request::post(collection.path(), body)).await?;

    let status = refused.expect_error(&[422], &["Invalid"])?;
    let causes = status["details"]["causes"].as_array().into_iter().flatten();
    let fields: Vec<_> = causes.filter_map(|cause| cause["field"].as_str()).collect();
    let there = fields.iter().any(|known| known.ends_with(field));
    refused.expect(there, format!("a cause at {field}"), format!("{fields:?}"))?;
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
        let body = selecting(&json!({ "matchExpressions": [expression("app", operator, &["1"])] }));
        is_refused(&cx, &collection, &body, "matchExpressions[0].operator").await?;
    }
    let created =
        cx.send(Request::post(collection.path(), &selecting(&json!({ "matchExpressions": known })))).await?;
    created.expect_status(&[201])
}

async fn selectors_labelselector_values_rules(cx: Context, Deployments(collection): Deployments) -> Checked {
    let wrong = [
        expression("app", "In", &[]),
        expression("app", "NotIn", &[]),
        expression("app", "Exists", &["x"]),
        expression("none", "DoesNotExist", &["x"]),
    ];

    for expression in wrong {
        let body = selecting(&json!({ "matchLabels": { "app": "x" }, "matchExpressions": [expression] }));
        is_refused(&cx, &collection, &body, "matchExpressions[0].values").await?;
    }
    Ok(())
}
