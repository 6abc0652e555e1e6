//! How the fields of built-in types are merged, and those that all types have.

use harness::{Context, Halt, Object, Resource, Suite};
use serde_json::{Value, json};

use crate::story::conflict::expect_conflicts;
use crate::story::owner::{applier, expect_owned, expect_owns};
use crate::story::{Story, expect_value};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-merge-builtin-configmap-data", data_are_owned_key_by_key)
        .scenario("apply-merge-builtin-labels-annotations", labels_and_annotations_are_owned_key_by_key)
        .on_every_shape()
        .scenario("apply-merge-builtin-owner-references", references_are_owned_one_by_one)
        .on_every_shape()
        .scenario("apply-merge-builtin-service-ports", ports_are_known_by_port_and_protocol)
        .scenario("apply-merge-builtin-service-selector", a_selector_of_a_service_has_one_owner)
}

/// Objects of a core type. Skips where the server has none.
async fn of_core(cx: &Context, plural: &str, kind: &str) -> Result<Story, Halt> {
    Ok(Story::new(cx, cx.collection(Resource::core(plural, kind)).await?))
}

async fn data_are_owned_key_by_key(cx: Context) -> Result<(), Halt> {
    for (plural, kind) in [("configmaps", "ConfigMap"), ("secrets", "Secret")] {
        let story = of_core(&cx, plural, kind).await?;
        // As good in base 64 as in a text.
        let with = |key: &str| json!({ "data": { key: "MQ==" } });
        story.applied("m1", &with("a")).await?;

        let answer = story.ask(story.applying("m2", &with("b"))).await?;

        expect_value(&answer, "/data", &json!({ "a": "MQ==", "b": "MQ==" }))?;
        expect_owned(&answer, applier("m1"), &["f:data/f:a"])?;
        expect_owned(&answer, applier("m2"), &["f:data/f:b"])?;
    }
    Ok(())
}

async fn labels_and_annotations_are_owned_key_by_key(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;
    let with = |key: &str| json!({ "metadata": { "labels": { key: "1" }, "annotations": { key: "1" } } });
    story.applied("m1", &with("x")).await?;

    let answer = story.ask(story.applying("m2", &with("y"))).await?;

    for (manager, key) in [("m1", "x"), ("m2", "y")] {
        let both = ["labels", "annotations"];
        for field in both {
            expect_value(&answer, &format!("/metadata/{field}/{key}"), &json!("1"))?;
        }
        let paths = both.map(|field| format!("f:metadata/f:{field}/f:{key}"));
        expect_owned(&answer, applier(manager), &paths.each_ref().map(String::as_str))?;
    }
    Ok(())
}

/// A reference to an owner that is there.
fn reference(owner: &Object) -> Value {
    let (version, kind) = (&owner.json()["apiVersion"], &owner.json()["kind"]);
    json!({ "apiVersion": version, "kind": kind, "name": owner.name(), "uid": owner.metadata("uid") })
}

async fn references_are_owned_one_by_one(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;
    let mut references = Vec::new();
    for name in ["first", "second"] {
        let owner = story.of(name);
        references.push(reference(&owner.posted("p", &owner.whole(&[])).await?));
    }
    let to = |owner: &Value| json!({ "metadata": { "ownerReferences": [owner] } });
    story.applied("m1", &to(&references[0])).await?;

    let answer = story.ask(story.applying("m2", &to(&references[1]))).await?;

    let object = answer.object()?;
    let found = &object.json()["metadata"]["ownerReferences"];
    let list = found.as_array().map_or(&[][..], Vec::as_slice);
    let both = list.len() == 2 && references.iter().all(|owner| list.contains(owner));
    answer.expect(both, format!("the ownerReferences {}", json!(references)), found.to_string())
}

/// A service that gets no address.
fn service(spec: &Value) -> Value {
    let mut whole = json!({ "spec": { "clusterIP": "None" } });
    for (field, value) in spec.as_object().into_iter().flatten() {
        whole["spec"][field] = value.clone();
    }
    whole
}

async fn ports_are_known_by_port_and_protocol(cx: Context) -> Result<(), Halt> {
    let story = of_core(&cx, "services", "Service").await?;
    let with = |name: &str, protocol: &str| {
        service(&json!({ "ports": [{ "name": name, "port": 80, "protocol": protocol }] }))
    };
    story.applied("m1", &with("a", "TCP")).await?;

    let answer = story.ask(story.applying("m2", &with("b", "UDP"))).await?;

    for (manager, protocol) in [("m1", "TCP"), ("m2", "UDP")] {
        let item = format!(r#"f:spec/f:ports/k:{{"port":80,"protocol":"{protocol}"}}/f:name"#);
        expect_owns(&answer, applier(manager), &[&item])?;
    }
    let count = answer.object()?.json()["spec"]["ports"].as_array().map_or(0, Vec::len);
    answer.expect(count == 2, "two ports", format!("{count}"))
}

async fn a_selector_of_a_service_has_one_owner(cx: Context) -> Result<(), Halt> {
    let story = of_core(&cx, "services", "Service").await?;
    let with = |key: &str| service(&json!({ "ports": [{ "port": 80 }], "selector": { key: "1" } }));
    story.applied("m1", &with("a")).await?;

    let refused = story.ask(story.applying("m2", &with("b"))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.selector")])
}
