//! Definitions with the rules of many rows, which all scenarios share.
//!
//! A server names the rules that it refuses. They are left out, so that each row fails alone.

use std::collections::BTreeSet;

use super::definition::{CustomType, of_schema, of_spec, root, schema_of, try_out};
use super::table::{self, Mark, RuleRow};
use super::{compatibility, refusal};
use crate::definitions;
use crate::prelude::*;

/// How often rules are left out of a definition.
const MOST_ATTEMPTS: usize = 4;

/// A definition on the server.
#[derive(Debug, Clone)]
pub(super) struct SharedDefinition {
    pub(super) custom_type: CustomType,
    /// The rows that are not in it, because the server refuses their rules.
    refused: BTreeSet<&'static str>,
}

impl SharedDefinition {
    /// Whether the server has refused the rules of a row.
    pub(super) fn has_refused(&self, row: &RuleRow) -> bool {
        self.refused.contains(row.name.as_str())
    }

    /// A definition of the same type with the rules of these rows alone.
    pub(super) fn of_rows(&self, cx: &Context, rows: &[&RuleRow]) -> Value {
        self.custom_type.with_schema(cx, &schema(rows))
    }
}

/// The definition of a row. The first scenario that needs it creates it.
pub(super) async fn of(cx: &Context, row: &'static RuleRow) -> Result<Arc<SharedDefinition>, Halt> {
    let name = format!("definition {} of CEL", row.definition);
    let defining = cx.once_per_run(&name, Box::pin(async { Ok(define(cx, row.definition).await) }));
    let defined = cx.yield_place_while(defining).await?;
    (*defined).clone()
}

/// Creates a definition with all rules of its rows that the server compiles.
async fn define(cx: &Context, number: usize) -> Result<Arc<SharedDefinition>, Halt> {
    let newest = compatibility::newest(cx).await?;
    let applies = |row: &&RuleRow| newest.is_none_or(|newest| row.since.is_none_or(|since| since <= newest));
    let mut rows: Vec<&'static RuleRow> = table::rows_in(number).filter(applies).collect();
    let (what, mut refused) = (format!("cel-{number}"), BTreeSet::new());
    let mut last = String::new();
    for _ in 0..MOST_ATTEMPTS {
        let definition = of_schema(cx, &what, &schema(&rows));
        let created = definitions::create(cx, &definition).await?;
        if created.succeeded() {
            let custom_type = CustomType::of(&definition);
            let object = custom_type.object(&cx.own_name("cel"), &json!({}));
            let create = Request::post(&custom_type.path, &object).query("dryRun", "All");
            let mut taken = first_taken(cx, &create).await;
            if let Err(Halt::Errored(_)) = taken {
                // Many scenarios need the definition: one lost response must not stop them all.
                taken = first_taken(cx, &create).await;
            }
            taken?;
            return Ok(Arc::new(SharedDefinition { custom_type, refused }));
        }
        last = refusal::messages(&created);
        let wrong = wrong_rows(cx, &created, &rows).await?;
        if wrong.is_empty() {
            break;
        }
        rows.retain(|row| !wrong.contains(row.name.as_str()));
        refused.extend(wrong);
    }
    Err(cx.test_error("define the rules of many scenarios", last).into())
}

/// The first response to a create from a server that knows the type. Before, it responds 404.
pub(super) async fn first_taken(cx: &Context, create: &Request) -> Result<Arc<Exchange>, Halt> {
    let first = cx.eventually(|| async {
        let created = cx.send(create.clone()).await?;
        Ok((created.status() != 404).then_some(created))
    });
    let why = "it was not served in time";
    let missing = || cx.late(format!("use the type at {}", create.path), why).into();
    first.await?.ok_or_else(missing)
}

/// The rows whose rules the server refuses: those that the refusal names, or else each that is refused alone.
async fn wrong_rows(
    cx: &Context,
    refused: &Exchange,
    rows: &[&'static RuleRow],
) -> Result<BTreeSet<&'static str>, Halt> {
    let named = rows.iter().filter(|row| refusal::is_about(refused, row)).map(|row| row.name.as_str());
    let mut wrong: BTreeSet<&'static str> = named.collect();
    if !wrong.is_empty() || refused.status() != 422 {
        return Ok(wrong);
    }
    for row in rows {
        if try_out(cx, &of_spec(cx, "cel", &schema_of(row))).await?.status() == 422 {
            wrong.insert(row.name.as_str());
        }
    }
    Ok(wrong)
}

/// The schema of objects that have the object of one row, or of some.
fn schema(rows: &[&RuleRow]) -> Value {
    if let [row] = rows
        && row.is(Mark::AtRoot)
    {
        return schema_of(row);
    }
    let mut spec = json!({ "type": "object", "properties": {} });
    for row in rows {
        spec["properties"][row.name.as_str()] = schema_of(row);
    }
    root(&spec)
}
