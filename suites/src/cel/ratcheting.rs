//! Ratcheting: updates of objects that are older than the rules that they violate.

use super::definition::{CustomType, of_schema, root, with_rules};
use super::offer;
use super::shared_definition::first_taken;
use crate::definitions::{self, version};
use crate::prelude::*;

rows![
    cel_language_ratcheting_unchanged
        .own_kinds()
        .waits()
        .also("cel-language-ratcheting-changed")
        .also("cel-language-ratcheting-transition-rules"),
];

/// The minor from which on no flag switches ratcheting off.
const LOCKED: u32 = 33;

/// A definition whose first version, which is stored, has no rules: the second version has an object that violates its rules.
fn two_versions(cx: &Context) -> Value {
    let schema = |ruled: &dyn Fn(Value, &str) -> Value| {
        let number = |rule: &str| ruled(json!({ "type": "integer" }), rule);
        let key = json!({ "type": "string", "maxLength": 8 });
        let entry = json!({
            "type": "object", "required": ["k"], "properties": { "k": key, "v": { "type": "integer" } },
        });
        json!({ "type": "object", "properties": {
            "a": number("self > 0"),
            "b": number("self > 0"),
            "t": number("self > 0 || self > oldSelf"),
            "list": { "type": "array", "maxItems": 8, "items": number("self > 0") },
            "entries": {
                "type": "array", "maxItems": 8, "items": ruled(entry, "self.v > 0"),
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            },
            "map": { "type": "object", "maxProperties": 8, "additionalProperties": number("self > 0") },
            "note": { "type": "string" },
        } })
    };
    let mut definition = of_schema(cx, "cel-ratchet", &root(&schema(&|schema, _| schema)));
    let mut second = version("v2");
    let with_rule = |schema, rule: &str| with_rules(schema, vec![json!({ "rule": rule })]);
    second["schema"]["openAPIV3Schema"] = root(&schema(&with_rule));
    if let Some(versions) = definition["spec"]["versions"].as_array_mut() {
        versions.push(second);
    }
    definition
}

async fn cel_language_ratcheting_unchanged(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let definition = two_versions(&cx);
    let custom_type = CustomType::of(&definition);
    definitions::create(&cx, &definition).await?.written()?;
    let create = |name: &str, spec: Value| {
        Request::post(&custom_type.path, &custom_type.object(&cx.own_name(name), &spec))
    };
    let invalid = json!({
        "a": 0, "b": 1, "note": "x", "list": [0, 1], "map": { "x": 0, "y": 1 },
        "entries": [{ "k": "x", "v": 0 }, { "k": "y", "v": 1 }],
    });
    let first = create("invalid", invalid);
    cx.yield_place_while(first_taken(&cx, &first)).await?.written()?;
    cx.send(create("transition", json!({ "t": 0, "note": "x" }))).await?.written()?;

    let update = async |name: &str, spec: Value| {
        let path = format!("{}/{}", custom_type.path.replace("/v1/", "/v2/"), cx.own_name(name));
        let mut body = cx.send(Request::get(&path)).await?.written()?.json().clone();
        body["spec"] = spec;
        cx.send(Request::put(&path, &body).query("dryRun", "All")).await
    };
    let next = json!({
        "a": 0, "b": 2, "note": "y", "list": [0, 1], "map": { "x": 0, "y": 2, "z": 1 },
        "entries": [{ "k": "z", "v": 1 }, { "k": "y", "v": 2 }, { "k": "x", "v": 0 }],
    });
    let kept = update("invalid", next).await?;
    let may_be_off = cx.target_info().version.is_some_and(|version| version.minor < LOCKED);
    let is_off = may_be_off && kept.status() == 422;
    cx.require_feature("DefaultConfiguration", !is_off, "ratcheting is switched off")?;
    let what = "a field that violates a rule is as it was: the update succeeds";
    kept.expect(kept.status() == 200, format!("HTTP 200: {what}"), kept.brief())?;

    let changes = [
        json!({ "a": -1, "b": 1, "note": "x" }),
        json!({ "a": 0, "b": 0, "note": "x" }),
        json!({ "map": { "x": -1, "y": 1 } }),
        json!({ "map": { "x": 0, "y": 1, "z": 0 } }),
        json!({ "entries": [{ "k": "x", "v": -1 }] }),
        json!({ "entries": [{ "k": "z", "v": 0 }, { "k": "x", "v": 0 }] }),
        // The list has another value, although this item is as it was.
        json!({ "list": [0, 2] }),
    ];
    for spec in changes {
        let changed = update("invalid", spec).await?;
        let what = "HTTP 422: the update changes a field to a value that violates a rule";
        changed.expect(changed.status() == 422, what, changed.brief())?;
    }
    let transition = update("transition", json!({ "t": 0, "note": "y" })).await?;
    let what = "HTTP 422: the rule with oldSelf does not hold, although its field is as it was";
    transition.expect(transition.status() == 422, what, transition.brief())
}
