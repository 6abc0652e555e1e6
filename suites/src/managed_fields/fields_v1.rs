//! The format of `fieldsV1`.

use super::write_method::Way;
use crate::apply_fixture::owner::{applier, entries, entry_of, expect_owned, owners_text, updater};
use crate::finalizers::{self, HOLD, and_release};
use crate::prelude::*;

rows![
    managed_fields_fields_v1_field_key,
    managed_fields_fields_v1_leaf_empty_object,
    managed_fields_fields_v1_list_map_key.own_kinds(),
    managed_fields_fields_v1_list_map_item_dot.own_kinds(),
    managed_fields_fields_v1_set_value,
    managed_fields_fields_v1_atomic_is_leaf.own_kinds(),
    managed_fields_fields_v1_dot_on_created_parent.own_kinds(),
    managed_fields_unowned_metadata_paths,
];

/// A part of the `fieldsV1` of `m1`.
fn tree<'a>(object: &'a Object, at: &[&str]) -> &'a Value {
    let whole = entry_of(object, applier("m1")).map_or(&Value::Null, |entry| &entry["fieldsV1"]);
    at.iter().fold(whole, |tree, step| &tree[*step])
}

async fn managed_fields_fields_v1_field_key(fixture: Tracked) -> Checked {
    let labels = json!({ "metadata": { "labels": { "example.com/a.b": "x" } } });

    let applied = fixture.write_response(fixture.applying("m1", &labels)).await?;

    let object = applied.object()?;
    let labels = tree(&object, &["f:metadata", "f:labels"]);
    let verbatim = labels["f:example.com/a.b"].is_object();
    applied.expect(verbatim, r#""f:example.com/a.b" in f:metadata and f:labels"#, labels.to_string())
}

async fn managed_fields_fields_v1_leaf_empty_object(fixture: Tracked) -> Checked {
    for way in [Way::Merge, Way::Apply] {
        let request = way.writes(&fixture).await?;
        let written = fixture.write_response(request.query("fieldManager", "m1")).await?;

        let object = written.object()?;
        let trees: Vec<_> = entries(&object).iter().map(|entry| &entry["fieldsV1"]).collect();
        written.expect(!trees.is_empty(), "entries with fieldsV1", "no entries")?;
        for tree in trees {
            written.expect(is_of_objects(tree), "only objects in fieldsV1", tree.to_string())?;
        }
    }
    Ok(())
}

fn is_of_objects(tree: &Value) -> bool {
    tree.as_object().is_some_and(|below| below.values().all(is_of_objects))
}

async fn managed_fields_fields_v1_list_map_key(fixture: Gizmo) -> Checked {
    let ports = json!({ "spec": { "ports": [{ "port": 80, "protocol": "TCP", "label": "x" }] } });

    let applied = fixture.write_response(fixture.applying("m1", &ports)).await?;

    let path = r#"f:spec/f:ports/k:{"port":80,"protocol":"TCP"}"#;
    expect_item(&applied, path, &["f:label", "f:port", "f:protocol"])
}

/// `m1` owns exactly these fields of one item.
fn expect_item(response: &Exchange, item: &str, fields: &[&str]) -> Checked {
    let paths: Vec<_> = fields.iter().map(|field| format!("{item}/{field}")).collect();
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    expect_owned(response, applier("m1"), &paths)
}

async fn managed_fields_fields_v1_list_map_item_dot(fixture: Gizmo) -> Checked {
    let rules = json!({ "spec": { "rules": [{ "name": "a", "value": "1" }] } });

    let applied = fixture.write_response(fixture.applying("m1", &rules)).await?;

    expect_item(&applied, r#"f:spec/f:rules/k:{"name":"a"}"#, &["f:name", "f:value"])?;
    let object = applied.object()?;
    let item = tree(&object, &["f:spec", "f:rules", r#"k:{"name":"a"}"#]);
    applied.expect(item["."].is_object(), r#"the field "." of the item"#, item.to_string())
}

async fn managed_fields_fields_v1_set_value(fixture: Tracked) -> Checked {
    and_release(&fixture.collection, async {
        let applied = fixture.write_response(fixture.applying("m1", &finalizers::set(&[HOLD]))).await?;

        let path = format!("f:metadata/f:finalizers/v:{}", json!(HOLD));
        expect_owned(&applied, applier("m1"), &[&path])
    })
    .await
}

async fn managed_fields_fields_v1_atomic_is_leaf(fixture: Gizmo) -> Checked {
    let spec = json!({ "args": ["x", "y"], "atomicMap": { "a": "1" }, "atomicStruct": { "x": 1 } });

    let applied = fixture.write_response(fixture.applying("m1", &json!({ "spec": spec }))).await?;

    let object = applied.object()?;
    for field in ["f:args", "f:atomicMap", "f:atomicStruct"] {
        let found = tree(&object, &["f:spec", field]);
        applied.expect(*found == json!({}), format!("{field}: {{}}"), found.to_string())?;
    }
    Ok(())
}

async fn managed_fields_fields_v1_dot_on_created_parent(fixture: ConfigMapApplyFixture) -> Checked {
    let fields = json!({ "data": { "foo": "bar" } });

    let applied = fixture.write_response(fixture.applying("m1", &fields)).await?;
    let other = fixture.of("b");
    let posted = other.send(other.posting("p", &fields)).await?;

    expect_owned(&applied, applier("m1"), &["f:data/f:foo"])?;
    expect_owned(&posted, updater("p"), &["f:data/f:foo"])
}

/// Metadata that no manager owns: the identity of an object, and fields of the server.
const UNOWNED: [&str; 8] = [
    "name",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "selfLink",
    "managedFields",
];

async fn managed_fields_unowned_metadata_paths(cx: Context, fixture: Untracked) -> Checked {
    let mut whole = fixture.whole(&[("a", "1")]);
    if let Some(namespace) = fixture.collection.is_namespaced().then_some(cx.namespace().await?) {
        whole["metadata"]["namespace"] = json!(namespace);
    }

    expect_unowned(&*fixture.write_response(fixture.applying("m1", &whole)).await?)?;
    let again = fixture.now_with("a", "2").await?;
    expect_unowned(&*fixture.write_response(fixture.putting("u", &again)).await?)?;
    let other = fixture.of("b");
    whole["metadata"]["name"] = json!(other.collection.name_of(other.name));
    expect_unowned(&*other.send(other.posting("p", &whole)).await?)
}

fn expect_unowned(response: &Exchange) -> Checked {
    let object = response.object()?;
    response.expect(!entries(&object).is_empty(), "managedFields", "no managedFields")?;
    for entry in entries(&object) {
        let (tree, metadata) = (&entry["fieldsV1"], &entry["fieldsV1"]["f:metadata"]);
        let identity = ["f:apiVersion", "f:kind"].iter().any(|field| !tree[*field].is_null());
        let system = UNOWNED.iter().any(|field| !metadata[format!("f:{field}")].is_null());
        let expected = format!("no owner of apiVersion, kind, or {} of the metadata", UNOWNED.join(", "));
        response.expect(!identity && !system, expected, owners_text(&object))?;
    }
    Ok(())
}
