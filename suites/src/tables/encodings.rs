//! Tables in other encodings than JSON.

use super::response::{TABLE, Table};
use crate::prelude::*;
use crate::serialization::encodings::{MAGIC, PROTOBUF, YAML, is_of_type};

rows![table_content_type, table_yaml, table_not_protobuf];

const JSON: &str = "application/json";

async fn table_content_type(cx: Context, collection: Collection) -> Checked {
    let table = Table::of(&cx, &collection).await?;

    let media_type = table.0.header("content-type").unwrap_or("none");
    table.0.expect(is_of_type(&table.0, JSON), "Content-Type application/json", media_type)
}

/// The list as a Table in this encoding alone; `None` if the server does not offer it.
async fn list_in(collection: &Collection, media_type: &str) -> Result<Option<Arc<Exchange>>, Halt> {
    let accept = TABLE.replace(JSON, media_type);
    let response = collection.list().with(|request| request.accept(&accept)).await?;
    response.expect_status(&[200, 406])?;
    if response.status() == 406 {
        return Ok(None);
    }
    response.expect(
        is_of_type(&response, media_type),
        format!("Content-Type {media_type}"),
        response.brief(),
    )?;
    Ok(Some(response))
}

async fn table_yaml(cx: Context, collection: Collection) -> Checked {
    Table::of(&cx, &collection).await?;

    let Some(response) = list_in(&collection, YAML).await? else { return Ok(()) };
    let table: Option<Value> = serde_saphyr::from_str(&response.text()).ok();
    let is_table =
        table.is_some_and(|table| table["kind"] == "Table" && table["columnDefinitions"].is_array());
    response.expect(is_table, "a Table in YAML", response.brief())
}

async fn table_not_protobuf(cx: Context, collection: Collection) -> Checked {
    Table::of(&cx, &collection).await?;

    for (media_type, prefix) in [(PROTOBUF, MAGIC), ("application/cbor", b"")] {
        let Some(response) = list_in(&collection, media_type).await? else { continue };
        let binary = response.response.body.starts_with(prefix) && response.json().is_none();
        response.expect(binary, format!("a body of {media_type}"), response.brief())?;
    }
    Ok(())
}
