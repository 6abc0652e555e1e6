//! Merge of the fields of Deployments.

use harness::Checked;
use serde_json::{Value, json};

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{applier, expect_owns};
use crate::apply_fixture::{Story, expect_value};
use crate::scenario::DeploymentStory;

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
fn whole(story: &Story, containers: Value) -> Value {
    let mut whole = story.whole(&[]);
    whole["spec"]["template"]["spec"]["containers"] = containers;
    whole
}

async fn apply_merge_builtin_patch_strategy(DeploymentStory(story): DeploymentStory) -> Checked {
    let (a, b) = (json!({ "name": "a", "image": "x" }), json!({ "name": "b", "image": "y" }));
    story.applied("m1", &whole(&story, json!([a]))).await?;

    let answer = story.ask(story.applying("m2", &containers(&json!([b])))).await?;

    let object = answer.object()?;
    let found = object.json().pointer(CONTAINERS).and_then(Value::as_array);
    let mut names: Vec<_> = found.into_iter().flatten().map(|one| one["name"].to_string()).collect();
    names.sort();
    answer.expect(names == [r#""a""#, r#""b""#], "the containers a and b", names.join(", "))
}

async fn apply_merge_builtin_container_args(DeploymentStory(story): DeploymentStory) -> Checked {
    for field in ["args", "command"] {
        let with = |texts: &[&str]| {
            let mut container = json!({ "name": "a", "image": "x" });
            container[field] = json!(texts);
            json!([container])
        };
        story.applied("m1", &whole(&story, with(&["a", "b"]))).await?;

        let replaced = story.ask(story.applying("m1", &whole(&story, with(&["b"])))).await?;
        expect_value(&replaced, &format!("{CONTAINERS}/0/{field}"), &json!(["b"]))?;

        let refused = story.ask(story.applying("m2", &containers(&with(&["c"])))).await?;
        let place = format!(r#".spec.template.spec.containers[name="a"].{field}"#);
        expect_conflicts(&refused, &[("m1", &place)])?;
    }
    Ok(())
}

async fn apply_merge_builtin_label_selector(DeploymentStory(story): DeploymentStory) -> Checked {
    let applied = story.ask(story.applying("m1", &story.whole(&[]))).await?;

    // An end: nothing is owned below it.
    expect_owns(&applied, applier("m1"), &["f:spec/f:selector"])
}
