//! Printer columns of custom resources.

use super::response::{Table, as_table};
use crate::object_fixture::post_with;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = [row!(table_crd_without_mapping), row!(table_crd_columns), row!(table_crd_missing_value_null)];
    let own = own.into_iter().map(Row::own_kinds);
    table(DEFAULTS, Kinds::Own, default_columns).into_iter().chain(own).collect()
}

/// A check of a default Table, which has one row: what it expects.
type Check = fn(&Table) -> Option<&'static str>;

const DEFAULTS: &[(&str, Check)] = &[
    ("table-default-columns", name_and_date),
    ("table-default-column-name", name_first),
    ("table-default-column-date", date_second),
];

fn column<'a>(table: &'a Table, index: usize, field: &str) -> &'a Value {
    &table.json()["columnDefinitions"][index][field]
}

/// `None` if it holds.
fn unless(holds: bool, expected: &'static str) -> Option<&'static str> {
    (!holds).then_some(expected)
}

fn name_and_date(table: &Table) -> Option<&'static str> {
    let types = column(table, 0, "type") == "string" && column(table, 1, "type") == "date";
    let cells = &table.json()["rows"][0]["cells"];
    unless(
        types && cells[0].is_string() && cells[1].is_string(),
        "a column of type string, one of type date, and cells of both",
    )
}

fn name_first(table: &Table) -> Option<&'static str> {
    let first = column(table, 0, "name") == "Name" && column(table, 0, "type") == "string";
    unless(first, "the first column Name of type string")
}

fn date_second(table: &Table) -> Option<&'static str> {
    unless(column(table, 1, "type") == "date", "the second column of type date")
}

async fn default_columns(cx: Context, check: Check) -> Checked {
    let collection = cx.custom_resources().await?;
    collection.create(NAME).await?;

    let table = Table::of(&cx, &collection).await?;

    check(&table).map_or(Ok(()), |expected| Err(table.fail(expected, table.json().to_string())))
}

async fn table_crd_without_mapping(cx: Context, CustomResources(collection): CustomResources) -> Checked {
    Table::of(&cx, &cx.gizmos().await?).await?;

    let table = Table::expect(collection.list()).await?;

    table.expect_that(!table.columns().is_empty(), "default columns", table.json())
}

/// The printer columns of gizmos: name, type, format and priority.
const COLUMNS: [(&str, &str, &str, i64); 5] = [
    ("Name", "string", "name", 0),
    ("Size", "integer", "int32", 0),
    ("Mode", "string", "", 1),
    ("Phase", "string", "", 0),
    ("Born", "date", "", 0),
];

/// The Table of a gizmo whose `spec` has these fields.
async fn gizmo(cx: &Context, spec: &Value) -> Result<Table, Halt> {
    let collection = cx.gizmos().await?;
    cx.send(post_with(&collection, NAME, |body| body["spec"] = spec.clone())).await?.written()?;
    Table::offered(cx, as_table(collection.list()).await?)
}

async fn table_crd_columns(cx: Context) -> Checked {
    let table = gizmo(&cx, &json!({ "size": 3, "mode": "fast" })).await?;

    for (column, (name, kind, format, priority)) in table.columns().iter().zip(COLUMNS) {
        let type_and_format = column["type"] == kind
            && (name == "Name" || column["format"].as_str().unwrap_or_default() == format);
        let right = column["name"] == name
            && type_and_format
            && column["priority"].as_i64().unwrap_or_default() == priority;
        table.expect_that(
            right,
            &format!("the column {name} ({kind}, {format:?}, priority {priority})"),
            column,
        )?;
    }
    table.expect_that(table.columns().len() >= COLUMNS.len(), "all printer columns", table.json())?;
    let cells = &table.row(NAME)?["cells"];
    let right = cells[0] == NAME && cells[1] == 3 && cells[2] == "fast" && cells[4].is_string();
    table.expect_that(right, "the cells a, 3 and fast, and a date as the fifth", cells)
}

async fn table_crd_missing_value_null(cx: Context) -> Checked {
    let table = gizmo(&cx, &json!({ "size": 3 })).await?;

    let cells = &table.row(NAME)?["cells"];
    let right = cells[1] == 3 && cells[2].is_null() && cells[3].is_null() && cells[4].is_string();
    table.expect_that(right, "null as the cells of Mode and Phase, and a date after them", cells)
}
