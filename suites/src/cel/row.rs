//! The scenario of a row: what the server must accept, reject and refuse.

use super::definition::{of_spec, refused_schema, root, schema_of, try_out};
use super::object::{Objects, rules_of, texts};
use super::refusal::{self, expect_refused, is_about_cost, messages};
use super::shared_definition::{self, SharedDefinition};
use super::table::{Mark, RuleRow};
use super::{compatibility, definition, offer};
use crate::prelude::*;

/// Checks the rows of a clause. Of alternatives, the server must compile one.
pub(super) async fn check_all(cx: &Context, rows: impl Iterator<Item = &'static RuleRow>) -> Checked {
    let rows: Vec<_> = rows.collect();
    let Some(first) = rows.first() else { return Ok(()) };
    offer::require_cel(cx).await?;
    compatibility::require(cx, first.since).await?;
    let mut compiled = Vec::new();
    for row in &rows {
        let definition = shared_definition::of(cx, row).await?;
        if !row.is(Mark::Alternative) || !definition.has_refused(row) {
            compiled.push((*row, definition));
        }
    }
    if compiled.is_empty() {
        return first.expect_compiled(cx).await;
    }
    for (row, definition) in &compiled {
        let beside =
            compiled.iter().filter(|(_, other)| other.custom_type.path == definition.custom_type.path);
        cx.relies_on(&definition.of_rows(cx, &beside.map(|(row, _)| *row).collect::<Vec<_>>()));
        row.check(cx, definition).await?;
    }
    Ok(())
}

/// The only row of a clause whose function sends the objects itself, and its definition.
pub(super) async fn written(
    cx: &Context,
    clause: &str,
) -> Result<(&'static RuleRow, Arc<SharedDefinition>), Halt> {
    offer::require_cel(cx).await?;
    let missing = || cx.test_error(format!("find the row of {clause}"), "the tables have none");
    let row = super::table::rows_of(clause).next().ok_or_else(missing)?;
    let definition = shared_definition::of(cx, row).await?;
    if definition.has_refused(row) {
        row.expect_compiled(cx).await?;
    }
    cx.relies_on(&definition.of_rows(cx, &[row]));
    Ok((row, definition))
}

impl RuleRow {
    async fn check(&self, cx: &Context, definition: &SharedDefinition) -> Checked {
        if definition.has_refused(self) {
            return self.expect_compiled(cx).await;
        }
        let objects = Objects { cx, row: self, definition };
        for object in &self.accepted {
            objects.expect_accepted(&object.0).await?;
        }
        for rejected in &self.rejected {
            objects.expect_rejected_with(rejected).await?;
        }
        for update in &self.accepted_updates {
            objects.expect_update(update, true).await?;
        }
        for update in &self.rejected_updates {
            objects.expect_update(update, false).await?;
        }
        self.expect_refusals(cx).await
    }

    /// The server refuses each definition with a rule that does not compile.
    pub(super) async fn expect_refusals(&self, cx: &Context) -> Checked {
        for refused in &self.refused {
            let schema = refused_schema(self, refused);
            let tried = try_out(cx, &of_spec(cx, "cel", &schema)).await?;
            expect_refused(cx, &tried, &texts(&schema), self.is(Mark::NamesRule))?;
        }
        Ok(())
    }

    /// The server compiles the rules of this row, which it has refused together with others.
    pub(super) async fn expect_compiled(&self, cx: &Context) -> Checked {
        let tried = try_out(cx, &definition::of_schema(cx, "cel", &self.whole_schema())).await?;
        let rules = rules_of(self);
        refusal::expect_verdict(cx, &tried, &format!("the server compiles {rules}"))?;
        if tried.succeeded() {
            let why = "the server refuses them together with those of other scenarios, but not alone";
            return Err(cx.test_error(format!("define {rules}"), why).into());
        }
        if is_about_cost(&tried) && !self.clause.starts_with("cel-cost-") {
            return Err(cx.lacks("DefaultConfiguration", format!("costs are too high: {}", messages(&tried))));
        }
        let has_release = cx.target_info().version.is_some() || self.since.is_none();
        Halt::skip_unless(has_release, "/version has no minor, and older releases refuse these rules")?;
        Err(tried.fail(format!("HTTP 201: the server compiles {rules}"), messages(&tried)))
    }

    /// The schema of the row's objects, alone.
    pub(super) fn whole_schema(&self) -> Value {
        if self.is(Mark::AtRoot) { schema_of(self) } else { root(&schema_of(self)) }
    }
}
