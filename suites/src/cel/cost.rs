//! Area `cel-cost`: the clauses that are no rows of the table.

use super::definition::{CustomType, VALIDATIONS, of_spec, try_out, with_rules};
use super::object::Objects;
use super::policy::Policy;
use super::refusal::{expect_refused, messages, named_fields};
use super::shared_definition::first_taken;
use super::{offer, row};
use crate::definitions;
use crate::prelude::*;

rows![
    cel_cost_not_turing_complete.own_kinds().waits(),
    cel_cost_unit_independent_of_load.own_kinds().waits(),
    cel_cost_deterministic.own_kinds().waits(),
    cel_cost_runtime_per_expression.own_kinds().waits(),
    cel_cost_runtime_per_object_budget.own_kinds().waits(),
    cel_cost_runtime_policy_expression.own_kinds().waits(),
    cel_cost_estimate_crd_total.own_kinds(),
    cel_cost_estimate_on_update.own_kinds().waits(),
    cel_cost_estimate_error_retryable.own_kinds(),
];

/// The schema of an object with lists `l0`, `l1` and so on, and a rule about each pair of the numbers of a list.
fn pairs_schema(lists: usize, most_items: Option<u32>) -> Value {
    let mut schema = json!({ "type": "object", "properties": {} });
    let rule = |list: usize| json!({ "rule": format!("!has(self.l{list}) || self.l{list}.all(x, self.l{list}.all(y, x + y >= 0))") });
    for list in 0..lists {
        let mut list_schema = json!({ "type": "array", "items": { "type": "integer" } });
        if let Some(most) = most_items {
            list_schema["maxItems"] = most.into();
        }
        schema["properties"][format!("l{list}")] = list_schema;
    }
    with_rules(schema, (0..lists).map(rule).collect())
}

/// The clause whose row searches a text once for each number of a list.
const SEARCHES: &str = "cel-cost-deterministic";

/// A text: to search it costs a hundredth of the limit of one evaluation, and little time.
fn long_text() -> String {
    "a".repeat(100_000)
}

/// An object whose rule searches a text so often.
fn searched(times: usize) -> Value {
    json!({ "s": long_text(), "l": vec![0; times] })
}

async fn cel_cost_not_turing_complete(cx: Context) -> Checked {
    let (row, definition) = row::written(&cx, "cel-cost-not-turing-complete").await?;
    row.expect_refusals(&cx).await?;

    let objects = Objects { cx: &cx, row, definition: &definition };
    let long = "a".repeat(1_000_000);
    objects.expect_accepted(&json!({ "s": format!("{long}b") })).await?;
    objects.expect_rejected(&json!({ "s": long })).await?;
    let mut many: Vec<i64> = (0..10_000).collect();
    objects.expect_accepted(&json!({ "l": many })).await?;
    many.push(-1);
    objects.expect_rejected(&json!({ "l": many })).await.map(drop)
}

async fn cel_cost_unit_independent_of_load(cx: Context) -> Checked {
    const TIMES: usize = 3;
    const WRITERS: usize = 16;
    let (row, definition) = row::written(&cx, SEARCHES).await?;
    let objects = Objects { cx: &cx, row, definition: &definition };
    expect_same(&objects, TIMES).await?;

    let configmaps = cx.configmaps().await?;
    let body = configmaps.body(NAME, "load");
    let write = async |_| cx.send(Request::post(configmaps.path(), &body).query("dryRun", "All")).await;
    for _ in 0..TIMES {
        let load = async {
            try_join_all((0..WRITERS).map(write)).await?;
            Ok(())
        };
        harness::try_join(load, expect_same(&objects, 1)).await?;
    }
    Ok(())
}

async fn cel_cost_deterministic(cx: Context) -> Checked {
    let (row, definition) = row::written(&cx, SEARCHES).await?;
    expect_same(&Objects { cx: &cx, row, definition: &definition }, 10).await
}

/// The server accepts an object below the limit each time, and rejects one above it each time.
async fn expect_same(objects: &Objects<'_>, times: usize) -> Checked {
    for _ in 0..times {
        objects.expect_accepted(&searched(50)).await?;
        objects.expect_rejected(&searched(200)).await?;
    }
    Ok(())
}

async fn cel_cost_runtime_per_expression(cx: Context) -> Checked {
    let (row, definition) = row::written(&cx, "cel-cost-runtime-per-expression").await?;
    let objects = Objects { cx: &cx, row, definition: &definition };
    let numbers = |length: i64| json!({ "l": (0..length).collect::<Vec<_>>() });
    objects.expect_accepted(&numbers(350)).await?;
    objects.expect_rejected(&numbers(1000)).await.map(drop)
}

/// The schema of an object with a text, and with lists. A rule searches the text once for each item of a list: a list costs
/// nearly the limit of one evaluation.
fn searches_schema(lists: usize) -> Value {
    let mut schema =
        json!({ "type": "object", "properties": { "s": { "type": "string", "maxLength": 100_000 } } });
    for list in 0..lists {
        let list_schema = json!({ "type": "array", "maxItems": 90, "items": { "type": "integer" } });
        schema["properties"][format!("l{list}")] = list_schema;
    }
    let rule =
        |list| json!({ "rule": format!("!has(self.l{list}) || self.l{list}.all(x, !self.s.contains('b'))") });
    with_rules(schema, (0..lists).map(rule).collect())
}

async fn cel_cost_runtime_per_object_budget(cx: Context) -> Checked {
    const LISTS: usize = 24;
    offer::require_cel(&cx).await?;
    let definition = of_spec(&cx, "cel-budget", &searches_schema(LISTS));
    let custom_type = CustomType::of(&definition);
    definitions::create(&cx, &definition).await?.written()?;
    let create = |lists: std::ops::Range<usize>| {
        let mut spec = json!({ "s": long_text() });
        lists.for_each(|list| spec[format!("l{list}")] = vec![0; 90].into());
        let object = custom_type.object(&cx.own_name("cel"), &spec);
        Request::post(&custom_type.path, &object).query("dryRun", "All")
    };
    cx.yield_place_while(first_taken(&cx, &create(0..0))).await?;

    // Each list alone, and some together.
    let alone = (0..LISTS).map(|list| list..list + 1);
    for lists in alone.chain(std::iter::once(0..3)) {
        let few = cx.send(create(lists.clone())).await?;
        few.expect(
            few.status() == 201,
            format!("HTTP 201: lists {lists:?} are within the budget"),
            few.brief(),
        )?;
    }
    let all = cx.send(create(0..LISTS)).await?;
    all.expect(all.status() == 422, "HTTP 422: 24 lists exceed the budget of one object", all.brief())
}

async fn cel_cost_runtime_policy_expression(cx: Context) -> Checked {
    offer::require_policies(&cx).await?;
    let expression = "!has(object.data) || object.data.all(a, object.data.all(b, a != b || a == b))";
    let policy = Box::pin(Policy::enforce(&cx, expression)).await?;
    let create = async |keys: usize| {
        let entries = (0..keys).map(|key| (format!("k{key}"), Value::from("v")));
        cx.send(policy.create(&cx, NAME, &Value::Object(entries.collect())).await?).await
    };
    for keys in [3, 100] {
        let few = create(keys).await?;
        policy.expect_accepted(&cx, &few)?;
    }
    let many = create(1000).await?;
    policy.expect_rejected(&cx, &many)
}

async fn cel_cost_estimate_crd_total(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let few = try_out(&cx, &of_spec(&cx, "cel", &pairs_schema(10, Some(1150)))).await?;
    few.expect(
        few.status() == 201,
        "HTTP 201: ten costly rules are below the limit of a definition",
        messages(&few),
    )?;

    let many = try_out(&cx, &of_spec(&cx, "cel", &pairs_schema(24, Some(1150)))).await?;
    let expected = "HTTP 422: 24 costly rules, each below its limit, exceed that of a definition";
    many.expect(many.status() == 422, expected, many.brief())
}

async fn cel_cost_estimate_on_update(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let definition = of_spec(&cx, "cel-update", &pairs_schema(1, Some(100)));
    let path = definitions::path(&definition);
    definitions::create(&cx, &definition).await?.written()?;
    let unlimited = of_spec(&cx, "cel-update", &pairs_schema(1, None));

    // The server itself writes the conditions of a new definition.
    let updated = cx.eventually(|| async {
        let mut body = cx.send(Request::get(&path)).await?.written()?.json().clone();
        body["spec"] = unlimited["spec"].clone();
        let updated = cx.send(Request::put(&path, &body)).await?;
        Ok((updated.status() != 409).then_some(updated))
    });
    let why = "each update had a conflict";
    let updated = updated.await?.ok_or_else(|| cx.test_error(format!("update {path}"), why))?;

    expect_refused(&cx, &updated, "an update to a list without a limit", false)?;
    let items = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/l0/maxItems";
    cx.send(Request::get(&path)).await?.expect_value(items, &100.into())
}

async fn cel_cost_estimate_error_retryable(cx: Context) -> Checked {
    offer::require_cel(&cx).await?;
    let refused = definitions::create(&cx, &of_spec(&cx, "cel-retry", &pairs_schema(1, None))).await?;
    expect_refused(&cx, &refused, "a rule about the pairs of a list without a limit", false)?;
    let names_rule = named_fields(&refused).iter().any(|field| field.contains(&format!("{VALIDATIONS}[0]")));
    refused.expect(names_rule, format!("a cause of {VALIDATIONS}[0]"), named_fields(&refused).join(", "))?;

    let limited = of_spec(&cx, "cel-retry", &pairs_schema(1, Some(100)));
    cx.send(Request::get(definitions::path(&limited))).await?.expect_status(&[404])?;
    let retried = try_out(&cx, &limited).await?;
    retried.expect(retried.status() == 201, "HTTP 201: the same name, with a limit", messages(&retried))
}
