//! Area `cel-language`: the clauses that are no rows of the table.

use super::definition::{CustomType, of_spec, try_out, with_rule};
use super::object::Objects;
use super::refusal::expect_verdict;
use super::shared_definition::first_taken;
use super::{offer, row};
use crate::definitions;
use crate::prelude::*;

rows![
    cel_language_used_for_validation.own_kinds().waits(),
    cel_language_in_process.own_kinds().waits(),
    cel_language_field_name_rule.own_kinds(),
];

async fn cel_language_used_for_validation(cx: Context) -> Checked {
    let (row, definition) = row::written(&cx, "cel-language-used-for-validation").await?;
    let stored = cx.send(Request::get(definition.custom_type.definition_path())).await?;
    let pointer = format!(
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/{}/x-kubernetes-validations",
        row.name
    );
    stored.expect_value(&pointer, &json!([{ "rule": "self.x > 0", "message": "x is too small" }]))?;

    let objects = Objects { cx: &cx, row, definition: &definition };
    objects.expect_accepted(&json!({ "x": 1 })).await?;
    objects.expect_rejected(&json!({ "x": 0 })).await.map(drop)
}

async fn cel_language_in_process(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let definition = of_spec(&cx, "cel-process", &with_rule("self.x > 0"));
    definitions::create(&cx, &definition).await?.written()?;
    let custom_type = CustomType::of(&definition);
    let create =
        Request::post(&custom_type.path, &custom_type.object(&cx.own_name("cel"), &json!({ "x": 0 })));

    let first = cx.yield_place_while(first_taken(&cx, &create)).await?;

    expect_verdict(&cx, &first, "a rule rejects the first object of a new type")?;
    let expected = "HTTP 422: the rule `self.x > 0` rejects the first object that the server takes";
    first.expect(first.status() == 422, expected, first.brief())
}

async fn cel_language_field_name_rule(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let right = of_spec(&cx, "cel", &with_rule("self.x > 0"));
    let mut wrong = right.clone();
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations";
    if let Some(rules) = wrong.pointer_mut(spec) {
        *rules = json!([{ "rules": "self.x > 0" }]);
    }

    try_out(&cx, &right).await?.expect_status(&[201])?;
    try_out(&cx, &wrong).await?.expect_error(&[400, 422], &["BadRequest", "Invalid"]).map(drop)
}
