use serde_json::json;

use super::*;

#[test]
fn merge_patch_replaces_and_removes() {
    let mut object = json!({"a": "b", "c": {"d": "e", "f": "g"}, "l": [1]});
    merge::merge(&mut object, &json!({"a": "z", "c": {"f": null}, "l": [2, 3]}));
    assert_eq!(object, json!({"a": "z", "c": {"d": "e"}, "l": [2, 3]}));
}

#[test]
fn json_patch_carries_out_every_operation() {
    let mut object = json!({"a": [1, 2], "m": {"x/y": 1}});
    let patch = json!([
        {"op": "test", "path": "/a/0", "value": 1},
        {"op": "add", "path": "/a/-", "value": 3},
        {"op": "add", "path": "/a/0", "value": 0},
        {"op": "remove", "path": "/m/x~1y"},
        {"op": "replace", "path": "/a/1", "value": 9},
        {"op": "copy", "from": "/a", "path": "/b"},
        {"op": "move", "from": "/a", "path": "/c"},
    ]);
    json_patch::apply(&mut object, &patch).unwrap();
    assert_eq!(object, json!({"m": {}, "b": [0, 9, 2, 3], "c": [0, 9, 2, 3]}));
}

#[test]
fn a_json_patch_that_fails_is_refused() {
    for operation in [
        json!({"op": "test", "path": "/a", "value": 2}),
        json!({"op": "remove", "path": "/no"}),
        json!({"op": "add", "path": "/no/such", "value": 1}),
        json!({"op": "frobnicate", "path": "/a"}),
    ] {
        assert!(json_patch::apply(&mut json!({"a": 1}), &json!([operation])).is_err());
    }
}

#[test]
fn strategic_merge_understands_its_directives() {
    let mut object = json!({
        "metadata": {"finalizers": ["a/x", "b/x"], "ownerReferences": [{"uid": "1", "name": "one"}, {"uid": "2"}]},
        "data": {"k": "v", "gone": "x"},
    });
    let patch = json!({
        "metadata": {
            "$setElementOrder/finalizers": ["c/x", "b/x"],
            "$deleteFromPrimitiveList/finalizers": ["a/x"],
            "finalizers": ["c/x"],
            "ownerReferences": [{"uid": "1", "name": "uno"}, {"uid": "2", "$patch": "delete"}, {"uid": "3"}],
        },
        "data": {"$retainKeys": ["k"], "n": "w"},
    });
    strategic::merge(&mut object, &patch, "").unwrap();
    let finalizers = object["metadata"]["finalizers"].as_array().unwrap();
    assert!(finalizers.contains(&json!("c/x")) && !finalizers.contains(&json!("a/x")));
    assert_eq!(object["metadata"]["ownerReferences"], json!([{"uid": "1", "name": "uno"}, {"uid": "3"}]));
    assert_eq!(object["data"], json!({"k": "v", "n": "w"}));
}

#[test]
fn strategic_merge_replaces_a_map_when_told_to() {
    let mut object = json!({"data": {"a": "1", "b": "2"}});
    strategic::merge(&mut object, &json!({"data": {"$patch": "replace", "c": "3"}}), "").unwrap();
    assert_eq!(object, json!({"data": {"c": "3"}}));
}
