//! Printer columns of custom resources.

use super::response::{Table, as_table};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let own = [row!(table_crd_without_mapping), row!(table_crd_columns), row!(table_crd_missing_value_null)];
    let own = own.into_iter().map(Row::own_kinds);
    table(DEFAULTS, Kinds::Own, default_columns).into_iter().chain(own).collect()
}

/// A check of the columns and the cells of a default Table with one row, and what it expects.
type Check = (fn(&Value, &Value) -> bool, &'static str);

#[rustfmt::skip]
const DEFAULTS: &[(&str, Check)] = &[
    ("table-default-columns",     (name_and_date, "a column of type string, one of type date, and cells of both")),
    ("table-default-column-name", (name_first, "the first column Name of type string")),
    ("table-default-column-date", (|columns, _| columns[1]["type"] == "date", "the second column of type date")),
];

fn name_and_date(columns: &Value, cells: &Value) -> bool {
    let types = columns[0]["type"] == "string" && columns[1]["type"] == "date";
    types && cells[0].is_string() && cells[1].is_string()
}

fn name_first(columns: &Value, _: &Value) -> bool {
    columns[0]["name"] == "Name" && columns[0]["type"] == "string"
}

async fn default_columns(cx: Context, (right, expected): Check) -> Checked {
    let collection = cx.custom_resources().await?;
    collection.create(NAME).await?;

    let table = Table::of(&cx, &collection).await?;

    let (columns, rows) = (&table.json()["columnDefinitions"], &table.json()["rows"]);
    table.expect_that(right(columns, &rows[0]["cells"]), expected, table.json())
}

async fn table_crd_without_mapping(cx: Context, CustomResources(collection): CustomResources) -> Checked {
    Table::of(&cx, &cx.gizmos().await?).await?;

    let table = Table::expect(collection.list()).await?;

    table.expect_that(!table.columns().is_empty(), "default columns", table.json())
}

/// The Table of a gizmo whose `spec` has these fields.
async fn gizmo(cx: &Context, spec: &Value) -> Result<Table, Halt> {
    let collection = cx.gizmos().await?;
    cx.send(post_with(&collection, NAME, |body| body["spec"] = spec.clone())).await?.written()?;
    Table::offered(cx, as_table(collection.list()).await?)
}

async fn table_crd_columns(cx: Context) -> Checked {
    let table = gizmo(&cx, &json!({ "size": 3, "mode": "fast" })).await?;

    let expected = json!([
        { "name": "Name", "type": "string" },
        { "name": "Size", "type": "integer", "format": "int32" },
        { "name": "Mode", "type": "string", "priority": 1 },
        { "name": "Phase", "type": "string" },
        { "name": "Born", "type": "date" },
    ]);
    let actual = &table.json()["columnDefinitions"];
    for (index, column) in expected.as_array().into_iter().flatten().enumerate() {
        let mut fields = column.as_object().into_iter().flatten();
        let right = fields.all(|(field, value)| actual[index][field] == *value);
        table.expect_that(right, &format!("column {index}: {column}"), actual)?;
    }
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
