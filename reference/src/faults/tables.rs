//! Faults of Tables.

use serde_json::{Value, json};

use crate::fault::{Edit, Edit::*, Fault, RequestFacts, When, When::*, on};

const JSON: &str = "application/json";
const AS_JSON: Edit = SetRequestHeader("accept", JSON);
const AS_TABLE: Edit = SetRequestHeader("accept", "application/json;as=Table;g=meta.k8s.io;v=v1");
const TABLE: When = HeaderHas("accept", "as=Table");
/// Tables are preferred, and plain JSON is accepted.
const OR_JSON: When = HeaderHas("accept", ", application/json");
const UNKNOWN_VERSION: When = HeaderHas("accept", "v=v9");
const LIST: &[When] = &[List, TABLE];
/// Custom resources without printer columns of their own.
const DEFAULT: &[When] = &[List, TABLE, Plural("gadgets")];
const PRINTER_COLUMNS: &[When] = &[List, TABLE, Plural("gizmos")];
const NO_ROWS: When = Any(&[ResponseHas("\"rows\":[]"), ResponseHas("\"rows\":null")]);
const NOT_ACCEPTABLE: Edit = Reject(406, "NotAcceptable", "not acceptable");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("table-on-request", "the server ignores the parameters of Accept", LIST, &[AS_JSON]),
    on("table-content-type", "the server labels a Table as text", LIST, &[Header("content-type", "text/plain")]),
    on("table-accept-fallback", "the server ignores the fallback to JSON", &[TABLE, OR_JSON, UNKNOWN_VERSION], &[NOT_ACCEPTABLE]),
    on("table-accept-fallback-prefers-table", "the server prefers plain JSON", &[TABLE, OR_JSON], &[AS_JSON]),
    on("table-only-unsupported-406", "the server returns the object although the client accepts Tables alone", &[Method("POST"), Plural("selfsubjectaccessreviews"), TABLE], &[AS_JSON]),
    on("table-not-universal", "the server returns 500 for types without Tables", &[TABLE, StatusIs(406)], &[Fail(500, "InternalError", "no Table")]),
    on("table-v1beta1", "a request for v1beta1 gets v1", &[HeaderHas("accept", "v=v1beta1")], &[Set("/apiVersion", "\"meta.k8s.io/v1\"")]),
    on("table-unknown-version-406", "a request for an unknown version gets plain JSON", &[TABLE, UNKNOWN_VERSION, Not(&OR_JSON)], &[AS_JSON]),
    on("table-yaml", "a Table in YAML is a dump of the server's memory", &[HeaderHas("accept", "yaml;as=Table")],
        &[AS_TABLE, Header("content-type", "application/yaml"), EditText(dump)]),
    on("table-not-protobuf", "the server labels a JSON Table as protobuf", &[HeaderHas("accept", "protobuf;as=Table")],
        &[AS_TABLE, Header("content-type", "application/vnd.kubernetes.protobuf")]),
    on("table-error-is-status", "a 406 hides the 404", &[TABLE, StatusIs(404)], &[Fail(406, "NotAcceptable", "not acceptable")]),
    // Columns and rows.
    on("table-column-definitions", "a Table has no column definitions", LIST, &[Set("/columnDefinitions", "null")]),
    on("table-rows-per-object", "the rows of deleted objects remain", LIST, &[EditJson(keep_deleted_rows)]),
    on("table-cells-match-columns", "the row of an object without a value is shorter", LIST, &[EachItem(&EditJson(drop_last_cell))]),
    on("table-first-column-name", "the first column is the namespace", LIST, &[Set("/columnDefinitions/0/name", "\"Namespace\"")]),
    on("table-empty-list", "the Table of an empty list has no columns", &[List, TABLE, NO_ROWS], &[Set("/columnDefinitions", "[]")]),
    on("table-list-metadata", "a Table has no metadata", LIST, &[Set("/metadata", "{}")]),
    on("table-single-object", "only lists can be Tables", &[Method("GET"), Object, TABLE], &[AS_JSON]),
    on("table-row-object-default-metadata", "rows have the whole object by default", &[TABLE, Lacks("includeObject")], &[SetParameter("includeObject", "Object")]),
    on("table-include-object", "the server ignores includeObject", &[TABLE, Any(&[Is("includeObject", "None"), Is("includeObject", "Object")])], &[DropParameter("includeObject")]),
    on("table-include-object-invalid", "an unknown value of includeObject means Metadata", &[TABLE, Is("includeObject", "Bogus")], &[DropParameter("includeObject")]),
    on("table-watch", "the events of a watch have typed objects", &[Watch, TABLE], &[AS_JSON]),
    on("table-write-responses", "the server returns 406 after it has stored the object", &[Method("POST"), TABLE, StatusIs(201)], &[Fail(406, "NotAcceptable", "not acceptable")]),
    // Custom resources.
    on("table-default-columns", "a custom resource without printer columns has no columns", DEFAULT, &[Set("/columnDefinitions", "[]"), EachItem(&Set("/cells", "[]"))]),
    on("table-default-column-name", "the first column has no type", DEFAULT, &[Remove("/columnDefinitions/0/type")]),
    on("table-default-column-date", "the second column is the uid", DEFAULT, &[Set("/columnDefinitions/1", r#"{"name":"UID","type":"string","format":"","description":"","priority":0}"#)]),
    on("table-crd-without-mapping", "the server returns 406 for custom resources without printer columns", DEFAULT, &[NOT_ACCEPTABLE]),
    on("table-crd-columns", "the columns are those of another version", PRINTER_COLUMNS, &[Set("/columnDefinitions/1/name", "\"Mass\"")]),
    on("table-crd-missing-value-null", "the server drops the cells of missing values", PRINTER_COLUMNS, &[EachItem(&EditJson(drop_nulls))]),
];

/// Such as Go prints a structure.
fn dump(_: &RequestFacts, table: &str) -> String {
    format!("&Table{{{}}}", table.replace(['"', ','], " ").trim())
}

/// Each object has had a predecessor.
fn keep_deleted_rows(table: &mut Value) {
    let Some(rows) = table["rows"].as_array_mut() else { return };
    let mut deleted = rows.clone();
    for row in &mut deleted {
        let name = row["object"]["metadata"]["name"].as_str().unwrap_or_default();
        row["object"]["metadata"]["name"] = format!("{name}-deleted").into();
    }
    rows.extend(deleted);
}

fn drop_last_cell(row: &mut Value) {
    if let Some(cells) = row["cells"].as_array_mut() {
        cells.pop();
    }
}

fn drop_nulls(row: &mut Value) {
    if let Some(cells) = row["cells"].as_array_mut() {
        cells.retain(|cell| *cell != json!(null));
    }
}
