//! Area `cel-language`: the clauses that are no rows of the table.

use super::definition::{CustomType, of_schema, of_spec, try_out, with_rule, with_rules};
use super::object::Objects;
use super::refusal::expect_verdict;
use super::shared_definition::first_taken;
use super::{offer, row};
use crate::definitions;
use crate::prelude::*;

rows![
    cel_language_used_for_validation.own_kinds().waits(),
    cel_language_in_process.own_kinds().waits(),
    cel_language_every_write.own_kinds().waits(),
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

/// A type with a rule of a number in `spec` and in `status`, which has a subresource.
fn with_status(cx: &Context) -> Value {
    let number = with_rules(json!({ "type": "integer" }), vec![json!({ "rule": "self > 0" })]);
    let part = json!({ "type": "object", "properties": { "x": number } });
    let schema = json!({ "type": "object", "properties": { "spec": part, "status": part } });
    let mut definition = of_schema(cx, "cel-writes", &schema);
    definition["spec"]["versions"][0]["subresources"] = json!({ "status": {} });
    definition
}

/// The writes of a number in a part of an object: their names, and the requests as dry runs.
fn writes(path: &str, stored: &Value, part: &str, x: i64) -> [(&'static str, Request); 4] {
    let mut whole = stored.clone();
    whole[part] = json!({ "x": x });
    let operations = json!([{ "op": "add", "path": format!("/{part}"), "value": { "x": x } }]);
    let applied = json!({
        "apiVersion": stored["apiVersion"],
        "kind": stored["kind"],
        "metadata": { "name": stored["metadata"]["name"] },
        part: { "x": x },
    });
    let patch = |form: &str, body: &Value| Request::new(Method::PATCH, path).json(form, body);
    let apply = patch(APPLY, &applied).query("fieldManager", "cel").query("force", true);
    [
        ("update", Request::put(path, &whole)),
        ("merge patch", patch(MERGE, &json!({ part: { "x": x } }))),
        ("JSON patch", patch(JSON, &operations)),
        ("apply", apply),
    ]
    .map(|(name, request)| (name, request.query("dryRun", "All")))
}

async fn cel_language_every_write(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let definition = with_status(&cx);
    let custom_type = CustomType::of(&definition);
    definitions::create(&cx, &definition).await?.written()?;
    let object = custom_type.object(&cx.own_name("cel"), &json!({ "x": 1 }));
    let create = Request::post(&custom_type.path, &object);
    let stored = cx.yield_place_while(first_taken(&cx, &create)).await?.written()?;

    let path = format!("{}/{}", custom_type.path, stored.name());
    for (path, part) in [(path.clone(), "spec"), (format!("{path}/status"), "status")] {
        let right = writes(&path, stored.json(), part, 2);
        let wrong = writes(&path, stored.json(), part, 0);
        for ((name, right), (_, wrong)) in right.into_iter().zip(wrong) {
            if cx.send_if_offered(right).await?.is_none() {
                continue;
            }
            let response = cx.send(wrong).await?;
            let what = format!("a rule rejects the {name} of {part}");
            expect_verdict(&cx, &response, &what)?;
            response.expect(response.status() == 422, format!("HTTP 422: {what}"), response.brief())?;
        }
    }
    Ok(())
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
