//! How the fields of Deployments are merged.

use harness::{Context, Halt, Suite};
use serde_json::{Value, json};

use crate::story::conflict::expect_conflicts;
use crate::story::owner::{applier, expect_owns};
use crate::story::{Story, expect_value};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-merge-builtin-patch-strategy", containers_are_known_by_their_names)
        .scenario("apply-merge-builtin-container-args", args_and_commands_have_one_owner)
        .scenario("apply-merge-builtin-label-selector", a_label_selector_has_one_owner)
}

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

async fn containers_are_known_by_their_names(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_deployment(&cx).await?;
    let (a, b) = (json!({ "name": "a", "image": "x" }), json!({ "name": "b", "image": "y" }));
    story.applied("m1", &whole(&story, json!([a]))).await?;

    let answer = story.ask(story.applying("m2", &containers(&json!([b])))).await?;

    let object = answer.object()?;
    let found = object.json().pointer(CONTAINERS).and_then(Value::as_array);
    let mut names: Vec<_> = found.into_iter().flatten().map(|one| one["name"].to_string()).collect();
    names.sort();
    answer.expect(names == [r#""a""#, r#""b""#], "the containers a and b", names.join(", "))
}

async fn args_and_commands_have_one_owner(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_deployment(&cx).await?;
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

async fn a_label_selector_has_one_owner(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_deployment(&cx).await?;

    let applied = story.ask(story.applying("m1", &story.whole(&[]))).await?;

    // An end: nothing is owned below it.
    expect_owns(&applied, applier("m1"), &["f:spec/f:selector"])
}
