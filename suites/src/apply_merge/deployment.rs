//! Merge of the fields of Deployments.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{applier, expect_owns};
use crate::prelude::*;

rows![
    apply_merge_builtin_patch_strategy.own_kinds(),
    apply_merge_builtin_container_args.own_kinds(),
    apply_merge_builtin_label_selector.own_kinds(),
];

/// Fields of a Deployment: the containers of its pods.
fn containers(containers: &Value) -> Value {
    json!({ "spec": { "template": { "spec": { "containers": containers } } } })
}

const CONTAINERS: &str = "/spec/template/spec/containers";

/// A whole Deployment with these containers.
fn whole(fixture: &ApplyFixture, containers: Value) -> Value {
    let mut whole = fixture.whole(&[]);
    whole["spec"]["template"]["spec"]["containers"] = containers;
    whole
}

async fn apply_merge_builtin_patch_strategy(fixture: DeploymentApplyFixture) -> Checked {
    let (a, b) = (json!({ "name": "a", "image": "x" }), json!({ "name": "b", "image": "y" }));
    fixture.applied("m1", &whole(&fixture, json!([a]))).await?;

    let response = fixture.send(fixture.applying("m2", &containers(&json!([b])))).await?;

    let object = response.object()?;
    let found = object.json().pointer(CONTAINERS).and_then(Value::as_array);
    let mut names: Vec<_> = found.into_iter().flatten().map(|one| one["name"].to_string()).collect();
    names.sort();
    response.expect(names == [r#""a""#, r#""b""#], "the containers a and b", names.join(", "))
}

async fn apply_merge_builtin_container_args(fixture: DeploymentApplyFixture) -> Checked {
    for field in ["args", "command"] {
        let with = |texts: &[&str]| {
            let mut container = json!({ "name": "a", "image": "x" });
            container[field] = json!(texts);
            json!([container])
        };
        fixture.applied("m1", &whole(&fixture, with(&["a", "b"]))).await?;

        let replaced = fixture.send(fixture.applying("m1", &whole(&fixture, with(&["b"])))).await?;
        replaced.expect_value(&format!("{CONTAINERS}/0/{field}"), &json!(["b"]))?;

        let refused = fixture.send(fixture.applying("m2", &containers(&with(&["c"])))).await?;
        let place = format!(r#".spec.template.spec.containers[name="a"].{field}"#);
        expect_conflicts(&refused, &[("m1", &place)])?;
    }
    Ok(())
}

async fn apply_merge_builtin_label_selector(fixture: DeploymentApplyFixture) -> Checked {
    let applied = fixture.send(fixture.applying("m1", &fixture.whole(&[]))).await?;

    // The selector is atomic: its fields have no owner of their own.
    expect_owns(&applied, applier("m1"), &["f:spec/f:selector"])
}
