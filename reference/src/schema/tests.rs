//! Tests of pruning, defaulting and validation by structural schemas.

use serde_json::json;

use super::*;

fn custom(spec: &Value) -> Custom {
    let schema = json!({"type": "object", "properties": {"spec": spec, "metadata": {"type": "object"}}});
    Custom { schema, ..Custom::default() }
}

fn sized() -> Custom {
    custom(&json!({
        "type": "object",
        "required": ["size"],
        "properties": {
            "size": {"type": "integer", "minimum": 1, "maximum": 10},
            "name": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$", "default": "abc"},
            "mode": {"type": "string", "enum": ["a", "b"]},
            "none": {"type": "string", "nullable": true},
            "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}, "maxItems": 3},
            "ports": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
                "items": {"type": "object", "properties": {
                    "port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"},
                }},
            },
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "map": {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 2},
            "either": {"x-kubernetes-int-or-string": true},
            "when": {"type": "string", "format": "date-time"},
            "template": {
                "type": "object", "x-kubernetes-embedded-resource": true, "properties": {"a": {"type": "string"}},
            },
            "one": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
                "oneOf": [{"required": ["x"]}, {"required": ["y"]}]},
        },
    }))
}

/// The validation errors of a spec: `REASON field`.
fn validation_errors(mut spec: Value) -> Vec<String> {
    let mut object = json!({"metadata": {}, "spec": spec.take()});
    complete(&sized(), &mut object).unwrap();
    validate(&sized(), &object).iter().map(ToString::to_string).collect()
}

#[test]
fn unknown_fields_are_pruned_and_reported() {
    let mut object = json!({"kind": "X", "top": 1, "spec": {
        "size": 1, "bogus": 1, "ports": [{}, {"bogus": 2}], "free": {"any": {"thing": 1}}, "map": {"k": "v"},
        "template": {"apiVersion": "v1", "kind": "Y", "metadata": {"name": "y", "bogus": 3}, "a": "b", "c": "d"},
    }});
    let mut unknown = Vec::new();
    prune(&sized(), &mut object, &mut unknown).unwrap();
    unknown.sort();
    let expected =
        ["spec.bogus", "spec.ports[1].bogus", "spec.template.c", "spec.template.metadata.bogus", "top"];
    assert_eq!(unknown, expected);
    assert_eq!(
        object,
        json!({"kind": "X", "spec": {
            "size": 1, "ports": [{}, {}], "free": {"any": {"thing": 1}}, "map": {"k": "v"},
            "template": {"apiVersion": "v1", "kind": "Y", "metadata": {"name": "y"}, "a": "b"},
        }})
    );
    let mut object = json!({"spec": {"template": {"metadata": {"name": 5}}}});
    assert!(prune(&sized(), &mut object, &mut unknown).unwrap_err().starts_with("spec.template.metadata: "));
}

/// 100,000 items take seconds if their keys are hashed, and hours if each is compared with all others.
#[test]
fn duplicates_of_long_lists_are_found_in_no_quadratic_time() {
    let mut ports: Vec<Value> = (0..100_000).map(|port| json!({"port": port})).collect();
    ports.push(json!({"port": 7}));
    let mut tags: Vec<Value> = (0..100_000).map(|tag| json!(tag.to_string())).collect();
    tags.push(json!("7"));
    let found = validation_errors(json!({"size": 1, "ports": ports, "tags": tags}));
    for list in ["ports", "tags"] {
        let expected = format!("FieldValueDuplicate spec.{list}[100000]");
        assert_eq!(
            found.iter().filter(|error| error.starts_with("FieldValueDuplicate")).count(),
            2,
            "{found:?}"
        );
        assert!(found.contains(&expected), "{found:?}");
    }
}

#[test]
fn invalid_nulls_are_rejected() {
    let expected = ["FieldValueTypeInvalid spec.mode"];
    assert_eq!(validation_errors(json!({"size": 1, "mode": null, "none": null})), expected);
}

#[test]
fn defaults_are_set_and_invalid_nulls_removed() {
    let mut object =
        json!({"spec": {"size": 1, "name": null, "mode": null, "none": null, "ports": [{"port": 1}]}});
    drop_nulls(&sized(), &mut object);
    complete(&sized(), &mut object).unwrap();
    assert_eq!(
        object,
        json!({"spec": {"size": 1, "none": null, "ports": [{"port": 1, "protocol": "TCP"}], "name": "abc"}})
    );
}

#[test]
fn defaults_stop_where_an_object_would_be_too_large() {
    let text = json!({"type": "string", "default": "a".repeat(10_000)});
    let item = json!({"type": "object", "properties": {"text": text}});
    let custom = custom(&json!({"type": "array", "items": item}));
    let completed = |items: usize| {
        let mut object = json!({"spec": vec![json!({}); items]});
        let failure = complete(&custom, &mut object).err().map(|failure| failure.status()["message"].clone());
        (failure, object.to_string().len())
    };
    let (failure, size) = completed(100);
    assert!(failure.is_none() && size > 1_000_000, "{failure:?} {size}");
    let (failure, size) = completed(10_000);
    assert_eq!(failure, Some(json!("etcdserver: request is too large")));
    assert!(size < 2 << 20, "{size}");
}

#[test]
fn validation_errors_have_reason_and_field() {
    assert_eq!(
        validation_errors(json!({"size": 1, "either": "5%", "when": "2026-01-01T00:00:00Z"})),
        Vec::<String>::new()
    );
    for (spec, expected) in [
        (json!({}), "FieldValueRequired spec.size"),
        (json!({"size": "x"}), "FieldValueTypeInvalid spec.size"),
        (json!({"size": 1.5}), "FieldValueTypeInvalid spec.size"),
        (json!({"size": 0}), "FieldValueInvalid spec.size"),
        (json!({"size": 11}), "FieldValueInvalid spec.size"),
        (json!({"size": 1, "name": "a"}), "FieldValueInvalid spec.name"),
        (json!({"size": 1, "name": "abcdef"}), "FieldValueTooLong spec.name"),
        (json!({"size": 1, "name": "AB"}), "FieldValueInvalid spec.name"),
        (json!({"size": 1, "mode": "c"}), "FieldValueNotSupported spec.mode"),
        (json!({"size": 1, "tags": ["a", "b", "a"]}), "FieldValueDuplicate spec.tags[2]"),
        (json!({"size": 1, "tags": ["a", "b", "c", "d"]}), "FieldValueTooMany spec.tags"),
        (json!({"size": 1, "ports": [{"port": 1}, {"port": 1}]}), "FieldValueDuplicate spec.ports[1]"),
        (json!({"size": 1, "map": {"a": 1}}), "FieldValueTypeInvalid spec.map.a"),
        (json!({"size": 1, "map": {"a": "", "b": "", "c": ""}}), "FieldValueTooMany spec.map"),
        (json!({"size": 1, "either": 1.5}), "FieldValueTypeInvalid spec.either"),
        (json!({"size": 1, "when": "x"}), "FieldValueTypeInvalid spec.when"),
        (json!({"size": 1, "template": {"kind": "X"}}), "FieldValueRequired spec.template.apiVersion"),
        (json!({"size": 1, "one": {}}), "FieldValueInvalid <nil>"),
        (json!({"size": 1, "one": {"x": 1, "y": 2}}), "FieldValueInvalid <nil>"),
    ] {
        assert_eq!(validation_errors(spec.clone()), [expected], "{spec}");
    }
}

#[test]
fn the_errors_of_an_object_are_limited() {
    let wrong = vec![json!({"port": "x"}); 1_000];
    let same = vec!["x"; 1_000];
    let of_lists = [json!({"size": 1, "ports": wrong}), json!({"size": 1, "tags": same})];
    assert_eq!(of_lists.map(|spec| validation_errors(spec).len()), [100, 100]);
    let required: Vec<String> = (0..1_000).map(|number| format!("f{number}")).collect();
    let errors = validate(&custom(&json!({"type": "object", "required": required})), &json!({"spec": {}}));
    assert_eq!(errors.len(), 100);
}
