//! Column definitions and cells.

use super::response::{Table, Tabled, as_table};
use crate::prelude::*;

rows![table_column_definitions, table_cells_match_columns, table_first_column_name, table_empty_list];

async fn table_column_definitions(Tabled { table, .. }: Tabled) -> Checked {
    table.expect_that(
        !table.columns().is_empty(),
        "columnDefinitions",
        &table.json()["columnDefinitions"],
    )?;
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let named = |column: &Value| is_text(&column["name"]) && is_text(&column["type"]);
    table.expect_each(table.columns(), "a column with name and type", named)?;

    let right = |column: &Value| {
        let texts = ["format", "description"].map(|field| &column[field]);
        let priority = &column["priority"];
        texts.into_iter().all(|text| text.is_string() || text.is_null())
            && (priority.is_i64() || priority.is_null())
    };
    table.expect_each(table.columns(), "texts as format and description, an integer as priority", right)
}

async fn table_cells_match_columns(Tabled { stored, table }: Tabled) -> Checked {
    let one = Table::expect(stored.get()).await?;

    for table in [table, one] {
        let columns = table.columns().len();
        let right = |row: &Value| row["cells"].as_array().is_some_and(|cells| cells.len() == columns);
        table.expect_each(table.rows(), &format!("a row of {columns} cells"), right)?;
    }
    Ok(())
}

async fn table_first_column_name(Tabled { stored, table }: Tabled) -> Checked {
    if stored.collection.resource().kind == "Event" {
        return Err(Halt::skip("the first column of events is the time"));
    }
    let first = &table.json()["columnDefinitions"][0]["name"];
    table.expect_that(first == "Name", "the first column Name", first)?;

    let has_name = |row: &Value| row["cells"][0] == row["object"]["metadata"]["name"];
    table.expect_each(table.rows(), "a row with the name of its object in the first cell", has_name)
}

async fn table_empty_list(cx: Context, collection: Collection) -> Checked {
    let none = collection.list().labels("kube-assay.dev/no-object=has-it");

    let table = Table::offered(&cx, as_table(none).await?)?;

    table.expect_that(table.rows().is_empty(), "no rows", &table.json()["rows"])?;
    table.expect_that(!table.columns().is_empty(), "columnDefinitions", &table.json()["columnDefinitions"])
}
