//! Merge of the fields of Deployments.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::expect_value;
use crate::apply_fixture::owner::{applier, expect_owns};
use crate::prelude::*;

rows![
    apply_merge_builtin_patch_strategy.own_kinds(),
    apply_merge_builtin_container_args.own_kinds(),
    apply_merge_builtin_label_selector.own_kinds(),
];

/// Containers of the pods of a Deployment.
fn containers(containers: &Value) -> Value {
    json!({ "spec": { "template": { "spec": { "containers": containers } } } })
}

const CONTAINERS: &str = "/spec/template/spec/containers";

/// All of a Deployment, with these containers.
fn whole(fixture: &ApplyFixture, containers: Value) -> Value {
    let mut whole = fixture.whole(&[]);
    whole["spec"]["template"]["spec"]["containers"] = containers;
    whole
}

async fn apply_merge_builtin_patch_strategy(
    DeploymentApplyFixture(fixture): DeploymentApplyFixture,
) -> Checked {
    let (a, b) = (json!({ "name": "a", "image": "x" }), json!({ "name": "b", "image": "y" }));
    fixture.applied("m1", &whole(&fixture, json!([a]))).await?;

    let answer = fixture.ask(fixture.applying("m2", &containers(&json!([b])))).await?;

    let object = answer.object()?;
    let found = object.json().pointer(CONTAINERS).and_then(Value::as_array);
    let mut names: Vec<_> = found.into_iter().flatten().map(|one| one["name"].to_string()).collect();
    names.sort();
    answer.expect(names == [r#""a""#, r#""b""#], "the containers a and b", names.join(", "))
}

async fn apply_merge_builtin_container_args(
    DeploymentApplyFixture(fixture): DeploymentApplyFixture,
) -> Checked {
    for field in ["args", "command"] {
        let with = |texts: &[&str]| {
            let mut container = json!({ "name": "a", "image": "x" });
            container[field] = json!(texts);
            json!([container])
        };
        fixture.applied("m1", &whole(&fixture, with(&["a", "b"]))).await?;

        let replaced = fixture.ask(fixture.applying("m1", &whole(&fixture, with(&["b"])))).await?;
        expect_value(&replaced, &format!("{CONTAINERS}/0/{field}"), &json!(["b"]))?;

        let refused = fixture.ask(fixture.applying("m2", &containers(&with(&["c"])))).await?;
        let place = format!(r#".spec.template.spec.containers[name="a"].{field}"#);
        expect_conflicts(&refused, &[("m1", &place)])?;
    }
    Ok(())
}

async fn apply_merge_builtin_label_selector(
    DeploymentApplyFixture(fixture): DeploymentApplyFixture,
) -> Checked {
    let applied = fixture.ask(fixture.applying("m1", &fixture.whole(&[]))).await?;

    // An end: nothing is owned below it.
    expect_owns(&applied, applier("m1"), &["f:spec/f:selector"])
}
