//! Merge of the fields of built-in types, and of metadata.

use super::keyed_lists::expect_items;
use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::owner::{applier, expect_owned, expect_owns};
use crate::object_fixture::owner_reference;
use crate::prelude::*;

rows![
    apply_merge_builtin_configmap_data.own_kinds(),
    apply_merge_builtin_labels_annotations,
    apply_merge_builtin_owner_references,
    apply_merge_builtin_service_ports.own_kinds(),
    apply_merge_builtin_service_selector.own_kinds(),
];

/// The fixture of a core type. Skips where the server lacks the type.
async fn of_core(cx: &Context, plural: &str, kind: &str) -> Result<ApplyFixture, Halt> {
    Ok(ApplyFixture::new(cx, cx.collection(Resource::core(plural, kind)).await?))
}

async fn apply_merge_builtin_configmap_data(cx: Context) -> Checked {
    for (plural, kind) in [("configmaps", "ConfigMap"), ("secrets", "Secret")] {
        let fixture = of_core(&cx, plural, kind).await?;
        // The value is valid as base64 and as text.
        let with = |key: &str| json!({ "data": { key: "MQ==" } });
        fixture.applied("m1", &with("a")).await?;

        let response = fixture.send(fixture.applying("m2", &with("b"))).await?;

        response.expect_value("/data", &json!({ "a": "MQ==", "b": "MQ==" }))?;
        expect_owned(&response, applier("m1"), &["f:data/f:a"])?;
        expect_owned(&response, applier("m2"), &["f:data/f:b"])?;
    }
    Ok(())
}

async fn apply_merge_builtin_labels_annotations(fixture: Tracked) -> Checked {
    let with = |key: &str| json!({ "metadata": { "labels": { key: "1" }, "annotations": { key: "1" } } });
    fixture.applied("m1", &with("x")).await?;

    let response = fixture.send(fixture.applying("m2", &with("y"))).await?;

    for (manager, key) in [("m1", "x"), ("m2", "y")] {
        let both = ["labels", "annotations"];
        for field in both {
            response.expect_value(&format!("/metadata/{field}/{key}"), &json!("1"))?;
        }
        let paths = both.map(|field| format!("f:metadata/f:{field}/f:{key}"));
        expect_owned(&response, applier(manager), &paths.each_ref().map(String::as_str))?;
    }
    Ok(())
}

async fn apply_merge_builtin_owner_references(fixture: Tracked) -> Checked {
    let mut references = Vec::new();
    for name in ["first", "second"] {
        let owner = fixture.of(name);
        references.push(owner_reference(&owner.posted("p", &owner.whole(&[])).await?));
    }
    let to = |owner: &Value| json!({ "metadata": { "ownerReferences": [owner] } });
    fixture.applied("m1", &to(&references[0])).await?;

    let response = fixture.send(fixture.applying("m2", &to(&references[1]))).await?;

    let object = response.object()?;
    expect_items(&response, &object.json()["metadata"]["ownerReferences"], "ownerReferences", &references)
}

/// A Service without a cluster IP.
fn service(spec: &Value) -> Value {
    let mut whole = json!({ "spec": { "clusterIP": "None" } });
    for (field, value) in spec.as_object().into_iter().flatten() {
        whole["spec"][field] = value.clone();
    }
    whole
}

async fn apply_merge_builtin_service_ports(cx: Context) -> Checked {
    let fixture = of_core(&cx, "services", "Service").await?;
    let with = |name: &str, protocol: &str| {
        service(&json!({ "ports": [{ "name": name, "port": 80, "protocol": protocol }] }))
    };
    fixture.applied("m1", &with("a", "TCP")).await?;

    let response = fixture.send(fixture.applying("m2", &with("b", "UDP"))).await?;

    for (manager, protocol) in [("m1", "TCP"), ("m2", "UDP")] {
        let item = format!(r#"f:spec/f:ports/k:{{"port":80,"protocol":"{protocol}"}}/f:name"#);
        expect_owns(&response, applier(manager), &[&item])?;
    }
    let count = response.object()?.json()["spec"]["ports"].as_array().map_or(0, Vec::len);
    response.expect(count == 2, "two ports", format!("{count}"))
}

async fn apply_merge_builtin_service_selector(cx: Context) -> Checked {
    let fixture = of_core(&cx, "services", "Service").await?;
    let with = |key: &str| service(&json!({ "ports": [{ "port": 80 }], "selector": { key: "1" } }));
    fixture.applied("m1", &with("a")).await?;

    let refused = fixture.send(fixture.applying("m2", &with("b"))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.selector")])
}
