//! The request of a step.

use http::Method;
use serde_json::{Value, json};

use super::cell::Piece;
use super::kind::AppliedType;
use super::state::AppliedObject;
use super::step::{ApplyStep, Verb};
use crate::object::make_object;
use crate::script::StepRequest;

/// The request of a step on the object with this full name; `before` is its state, and the number of the step before.
pub(super) fn step_request(
    step: &ApplyStep,
    before: Option<(&AppliedObject, usize)>,
    name: &str,
    kind: &AppliedType,
) -> StepRequest {
    let new = || {
        let mut body = kind.identity(name);
        step.sent().for_each(|(cell, number)| kind.write(&mut body, cell, number));
        body
    };
    let mut query = vec![("fieldManager", step.manager)];
    let (method, content_type, body) = match (step.verb, before) {
        (Verb::Apply { force }, _) => {
            query.extend(force.then_some(("force", "true")));
            (Method::PATCH, "application/apply-patch+yaml", new())
        }
        (Verb::Update, Some((before, _))) => (Method::PUT, "application/json", put_body(step, before, kind)),
        (Verb::Merge, Some((before, _))) => {
            (Method::PATCH, "application/merge-patch+json", merge_patch(step, before, kind))
        }
        (Verb::Create | Verb::Update | Verb::Merge, _) => (Method::POST, "application/json", new()),
    };
    let (version, version_of) = before
        .filter(|_| step.verb == Verb::Update)
        .map(|(before, number)| (before.version.clone(), number))
        .unzip();
    StepRequest { method, query, content_type, body: Some(body), version, version_of, uid: None }
}

/// The object as read, with the changes of the step.
fn changed_object(step: &ApplyStep, before: &AppliedObject, kind: &AppliedType) -> Value {
    let mut json = before.json.clone();
    for (name, number) in &step.change {
        match number {
            Some(number) => kind.write(&mut json, name, *number),
            None => kind.take(&mut json, name),
        }
    }
    json
}

/// The changed object without the server's own fields, except for the version.
fn put_body(step: &ApplyStep, before: &AppliedObject, kind: &AppliedType) -> Value {
    let mut body = changed_object(step, before, kind);
    make_object(&mut body);
    if let Some(fields) = body.as_object_mut() {
        fields.shift_remove("status");
    }
    if let Some(metadata) = make_object(&mut body["metadata"]).as_object_mut() {
        let kept = ["name", "namespace", "labels", "annotations", "resourceVersion"];
        metadata.retain(|field, _| kept.contains(&field.as_str()));
    }
    body
}

/// A patch from the object as read to the changed one: it replaces whole lists, and has null for removed fields.
fn merge_patch(step: &ApplyStep, before: &AppliedObject, kind: &AppliedType) -> Value {
    let changed = changed_object(step, before, kind);
    let mut patch = json!({});
    for cell in step.change.keys().filter_map(|name| kind.cell(name)) {
        let fields = cell.pieces.iter().map_while(|piece| match piece {
            Piece::Field(name) => Some(name.as_str()),
            Piece::Item(_) | Piece::Member(_) => None,
        });
        take_over(&mut patch, &changed, &fields.collect::<Vec<_>>());
    }
    patch
}

fn take_over(patch: &mut Value, changed: &Value, fields: &[&str]) {
    let Some((first, rest)) = fields.split_first() else {
        *patch = changed.clone();
        return;
    };
    match changed.get(*first) {
        None => patch[*first] = Value::Null,
        Some(below) => take_over(&mut patch[*first], below, rest),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use model::Resource;

    #[test]
    fn an_update_replaces_fields_of_wrong_types() {
        let kind = AppliedType::gizmo(&Resource::of("example.com", "v1", "gizmos", "Gizmo"));
        let change = BTreeMap::from([("spec.mode", None)]);
        let step = ApplyStep { manager: "m1", verb: Verb::Update, change };
        for wrong in [json!([]), json!({ "metadata": 1 })] {
            let before = AppliedObject::read(&wrong, &kind);
            assert_eq!(put_body(&step, &before, &kind), json!({ "metadata": {} }), "{wrong}");
        }
    }

    #[test]
    fn a_patch_replaces_lists_and_removes_fields() {
        let kind = AppliedType::gizmo(&Resource::of("example.com", "v1", "gizmos", "Gizmo"));
        let json = json!({
            "metadata": { "labels": { "l": "x" } },
            "spec": { "mode": "x", "rules": [{ "name": "anchor" }, { "name": "a", "note": "x" }], "tags": ["anchor"] },
        });
        let change = BTreeMap::from([
            ("metadata.labels.l", None),
            ("spec.mode", None),
            ("spec.rules[a].note", None),
            ("spec.rules[a].value", Some(1)),
            ("spec.tags[one]", Some(0)),
        ]);
        let step = ApplyStep { manager: "m1", verb: Verb::Merge, change };
        let expected = json!({
            "metadata": { "labels": { "l": null } },
            "spec": {
                "mode": null,
                "rules": [{ "name": "anchor" }, { "name": "a", "value": "spec-rules-a--value-1" }],
                "tags": ["anchor", "one"],
            },
        });
        assert_eq!(merge_patch(&step, &AppliedObject::read(&json, &kind), &kind), expected);
    }
}
