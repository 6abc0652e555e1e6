//! Tests of JSON patch, merge patch and strategic merge patch.

use serde_json::json;

use super::*;
use crate::field_validation::Level;

fn config_maps() -> ResourceType {
    ResourceType { kind: "ConfigMap".to_owned(), version: "v1".to_owned(), ..ResourceType::default() }
}

fn stored() -> Value {
    json!({
        "kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "a", "finalizers": ["a/x", "b/x"]},
        "data": {"k": "v", "l": "w"},
    })
}

/// The data and finalizers after a patch, or the code of the error.
fn patched(media: &str, body: &str) -> Result<(Value, Value), u64> {
    let code = |failure: Failure| failure.status()["code"].as_u64().unwrap();
    let media = format!("application/{media}+json");
    let patch = Patch::read(&media, &Bytes::from(body.to_owned()), &config_maps()).map_err(code)?;
    let mut check = FieldCheck::new(Level::Strict);
    let object = patch.apply(&config_maps(), &stored(), &mut check).map_err(code)?;
    Ok((object["data"].clone(), object["metadata"]["finalizers"].clone()))
}

#[test]
fn each_patch_type_follows_its_standard() {
    let finalizers = json!(["a/x", "b/x"]);
    let merged = patched("merge-patch", r#"{"data": {"k": null, "m": "x"}}"#);
    assert_eq!(merged, Ok((json!({"l": "w", "m": "x"}), finalizers.clone())));
    let operations = json!([
        {"op": "test", "path": "/data/k", "value": "v"},
        {"op": "add", "path": "/metadata/finalizers/-", "value": "c/x"},
        {"op": "add", "path": "/metadata/annotations", "value": {}},
        {"op": "copy", "from": "/data/k", "path": "/metadata/annotations/example.com~1k"},
        {"op": "move", "from": "/data/l", "path": "/data/k"},
    ]);
    let (data, finalizers) = patched("json-patch", &operations.to_string()).unwrap();
    assert_eq!((data, finalizers), (json!({"k": "w"}), json!(["a/x", "b/x", "c/x"])));
    let strategic = json!({"metadata": {"finalizers": ["c/x"], "$deleteFromPrimitiveList/finalizers": ["a/x"]},
        "data": {"$retainKeys": ["k"], "n": "o"}});
    let (data, finalizers) = patched("strategic-merge-patch", &strategic.to_string()).unwrap();
    assert_eq!((data, finalizers), (json!({"k": "v", "n": "o"}), json!(["c/x", "b/x"])));
}

#[test]
fn invalid_patches_are_rejected() {
    for (media, body, code) in [
        ("merge-patch", "{", 400),
        ("merge-patch", "[]", 400),
        ("merge-patch", "null", 400),
        ("merge-patch", "", 400),
        ("merge-patch", r#"{"data": {"k": 5}}"#, 422),
        ("merge-patch", r#"{"bogus": 5}"#, 422),
        ("merge-patch", r#"{"data": {"k": "1", "k": "2"}}"#, 422),
        ("merge-patch", r#"{"kind": "Secret"}"#, 422),
        ("json-patch", "{}", 400),
        ("json-patch", "[1]", 400),
        ("json-patch", r#"[{"op": "bogus", "path": "/x"}]"#, 422),
        ("json-patch", r#"[{"op": "test", "path": "/data/k", "value": "x"}]"#, 422),
        ("json-patch", r#"[{"op": "remove", "path": "/data/no"}]"#, 422),
        ("json-patch", r#"[{"op": "add", "path": "/metadata/labels/a", "value": "b"}]"#, 422),
        ("json-patch", r#"[{"op": "add", "path": "/data/k", "value": "x", "more": 1}]"#, 422),
        ("strategic-merge-patch", "[]", 400),
        ("strategic-merge-patch", r#"{"$patch": "bogus"}"#, 500),
        ("strategic-merge-patch", r#"{"metadata": {"ownerReferences": [{"name": "x"}]}}"#, 500),
        ("other", "{}", 415),
    ] {
        assert_eq!(patched(media, body), Err(code), "{media} {body}");
    }
}

#[test]
fn the_number_of_operations_is_limited() {
    let operation = r#"{"op": "test", "path": "/data/k", "value": "v"}"#;
    let list = |count| format!("[{}]", vec![operation; count].join(","));
    assert!(patched("json-patch", &list(MOST)).is_ok());
    assert_eq!(patched("json-patch", &list(MOST + 1)), Err(413));
}

#[test]
fn the_copies_of_a_patch_are_bounded() {
    let doubled = |times: usize| {
        let copy = |number: usize| json!({"op": "copy", "from": "", "path": format!("/data/{number}")});
        Value::from((0..times).map(copy).collect::<Vec<_>>()).to_string()
    };
    // A ConfigMap takes no objects as data, so that few copies are refused as well, but later.
    let refused = |times: usize| {
        let operations = serde_json::from_str(&doubled(times)).unwrap();
        apply_operations(&mut stored(), &operations).map_err(|failure| failure.status()["code"].clone())
    };
    assert_eq!(refused(10), Ok(()));
    // A copy of all that is there doubles the object: 16 of them are some 10 MB.
    assert_eq!(refused(16), Err(json!(422)));
}

fn containers(patch: &Value) -> Vec<String> {
    let named = |name: &str| json!({"name": name, "image": "i", "ports": [{"containerPort": 1}]});
    let mut object = json!({"spec": {"template": {"spec": {"containers": [named("a"), named("b")]}}}});
    let patch = json!({"spec": {"template": {"spec": patch}}});
    strategic::merge(kind::of("Deployment"), &mut object, &patch).unwrap();
    let containers = object["spec"]["template"]["spec"]["containers"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    containers.iter().map(|one| format!("{}:{}", text(&one["name"]), text(&one["image"]))).collect()
}

#[test]
fn strategic_merge_merges_lists_by_key() {
    assert_eq!(containers(&json!({"containers": [{"name": "c", "image": "k"}]})), ["c:k", "a:i", "b:i"]);
    assert_eq!(containers(&json!({"containers": [{"name": "b", "image": "k"}]})), ["a:i", "b:k"]);
    assert_eq!(containers(&json!({"containers": [{"name": "a", "$patch": "delete"}]})), ["b:i"]);
    assert_eq!(containers(&json!({"containers": [{"name": "z"}, {"$patch": "replace"}]})), ["z:-"]);
    let order = json!({"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}]});
    assert_eq!(containers(&order), ["b:i", "a:i"]);
}

#[test]
fn strategic_merge_replaces_and_deletes_maps_by_directives() {
    let merged = |patch: Value| {
        let mut object = json!({"data": {"a": "1", "b": "2"}});
        strategic::merge(kind::of("ConfigMap"), &mut object, &patch).unwrap();
        object
    };
    assert_eq!(merged(json!({"data": {"$patch": "replace", "c": "3"}})), json!({"data": {"c": "3"}}));
    assert_eq!(merged(json!({"data": {"$patch": "delete"}})), json!({}));
    assert_eq!(merged(json!({"data": {"a": null}})), json!({"data": {"b": "2"}}));
}

/// 100,000 items take a second if they are found by their keys, and an hour if each is searched for.
#[test]
fn strategic_merge_of_long_lists_takes_no_quadratic_time() {
    let names = |prefix: &str| (0..100_000).map(|index| format!("{prefix}/{index}")).collect::<Vec<_>>();
    let (old, new) = (names("a"), names("b"));
    let both = [old.clone(), new.clone()].concat();
    let mut object = json!({"metadata": {"finalizers": old}});
    let patch = json!({"metadata": {
        "finalizers": new,
        "$setElementOrder/finalizers": both,
        "$deleteFromPrimitiveList/finalizers": old,
    }});
    strategic::merge(kind::of("ConfigMap"), &mut object, &patch).unwrap();
    assert_eq!(object["metadata"]["finalizers"], json!(new));
}

#[test]
fn no_operation_makes_an_object_deeper_than_requests_can_be() {
    let deep = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({"a": inner}));
    let way = |levels: usize| format!("/data{}", "/a".repeat(levels));
    let operations = |list: Value| {
        let mut object = json!({"data": {}});
        apply_operations(&mut object, &list).map_err(|failure| failure.status()["code"].clone())
    };
    let add = |path: String, value: Value| json!({"op": "add", "path": path, "value": value});
    let long = add(way(1), deep(90));
    assert_eq!(operations(json!([long])), Ok(()));
    for growing in [
        add(way(91), deep(90)),
        json!({"op": "replace", "path": way(90), "value": deep(90)}),
        json!({"op": "copy", "from": "/data", "path": way(60)}),
        json!({"op": "copy", "from": "", "path": way(60)}),
    ] {
        assert_eq!(operations(json!([long, growing])), Err(json!(422)), "{growing}");
    }
    let (other, moved) =
        (add("/other".to_owned(), deep(90)), json!({"op": "move", "from": "/other", "path": way(60)}));
    assert_eq!(operations(json!([long, other, moved])), Err(json!(422)));
    // As many as a patch can have, without a stack overflow.
    let steps = (0..1_000).map(|step| add(way(step * 90 + 1), deep(90)));
    assert_eq!(operations(steps.collect::<Value>()), Err(json!(422)));
    // A shorter path, or a shallow value.
    let back = json!({"op": "move", "from": way(90), "path": "/data/b"});
    assert_eq!(operations(json!([long, back, {"op": "copy", "from": "/data/b", "path": way(80)}])), Ok(()));
}
