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
    let number = |rule: Value| with_rules(json!({ "type": "integer" }), vec![rule]);
    let schema = |number: &dyn Fn(Value) -> Value| {
        json!({ "type": "object", "properties": {
            "a": number(json!({ "rule": "self > 0" })),
            "b": number(json!({ "rule": "self > 0" })),
            "t": number(json!({ "rule": "self > 0 || self > oldSelf" })),
            "note": { "type": "string" },
        } })
    };
    let mut definition = of_schema(cx, "cel-ratchet", &root(&schema(&|_| json!({ "type": "integer" }))));
    let mut with_rules = version("v2");
    with_rules["schema"]["openAPIV3Schema"] = root(&schema(&number));
    if let Some(versions) = definition["spec"]["versions"].as_array_mut() {
        versions.push(with_rules);
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
    let first = create("invalid", json!({ "a": 0, "b": 1, "note": "x" }));
    cx.yield_place_while(first_taken(&cx, &first)).await?.written()?;
    cx.send(create("transition", json!({ "t": 0, "note": "x" }))).await?.written()?;

    let update = async |name: &str, spec: Value| {
        let path = format!("{}/{}", custom_type.path.replace("/v1/", "/v2/"), cx.own_name(name));
        let mut body = cx.send(Request::get(&path)).await?.written()?.json().clone();
        body["spec"] = spec;
        cx.send(Request::put(&path, &body).query("dryRun", "All")).await
    };
    let kept = update("invalid", json!({ "a": 0, "b": 2, "note": "y" })).await?;
    let may_be_off = cx.target_info().version.is_some_and(|version| version.minor < LOCKED);
    let is_off = may_be_off && kept.status() == 422;
    cx.require_feature("DefaultConfiguration", !is_off, "ratcheting is switched off")?;
    let what = "a field that violates a rule is as it was: the update succeeds";
    kept.expect(kept.status() == 200, format!("HTTP 200: {what}"), kept.brief())?;

    for spec in [json!({ "a": -1, "b": 1, "note": "x" }), json!({ "a": 0, "b": 0, "note": "x" })] {
        let changed = update("invalid", spec).await?;
        let what = "HTTP 422: the update changes a field to a value that violates a rule";
        changed.expect(changed.status() == 422, what, changed.brief())?;
    }
    let transition = update("transition", json!({ "t": 0, "note": "y" })).await?;
    let what = "HTTP 422: the rule with oldSelf does not hold, although its field is as it was";
    transition.expect(transition.status() == 422, what, transition.brief())
}
