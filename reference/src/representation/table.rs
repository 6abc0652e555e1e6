//! Tables: one row per object.

use serde_json::{Value, json};

use super::columns::{self, Column};
use super::{Include, partial, whole};
use crate::resource_type::ResourceType;

/// A table of objects. Without `defined`, it has no column definitions.
pub(super) fn table(
    ty: &ResourceType,
    version: &str,
    metadata: &Value,
    objects: &[&Value],
    include: Include,
    defined: bool,
) -> Value {
    let columns = columns::of(ty);
    let definitions = if defined { columns.iter().map(Column::definition).collect() } else { Value::Null };
    let rows: Vec<Value> = objects.iter().map(|object| row(ty, version, object, include, &columns)).collect();
    json!({
        "kind": "Table",
        "apiVersion": format!("meta.k8s.io/{version}"),
        "metadata": metadata,
        "columnDefinitions": definitions,
        "rows": rows,
    })
}

fn row(ty: &ResourceType, version: &str, object: &Value, include: Include, columns: &[Column]) -> Value {
    let cells: Vec<Value> = columns.iter().map(|column| column.cell(object)).collect();
    let bookmark = object["metadata"].get("name").is_none();
    let object_field = match include {
        Include::Object => whole(ty, object),
        // A bookmark must keep its annotation with every `includeObject`.
        Include::Nothing if !bookmark => Value::Null,
        Include::Nothing | Include::Metadata => partial(object, version),
    };
    json!({"cells": cells, "object": object_field})
}
