//! The page on the fields of the files that a run writes, from their schemas.

use serde_json::{Map, Value};

/// The schema of a file that users write.
const SLO: &str = "slo.json";

/// Each schema, and the command that writes its file, or reads it if users write it.
const SCHEMAS: [(&str, &str, &str); 15] = [
    ("summary.json", include_str!("../../reports/schema/summary.json"), "kube-assay run"),
    ("events.json", include_str!("../../reports/schema/events.json"), "kube-assay run"),
    ("evidence.json", include_str!("../../reports/schema/evidence.json"), "kube-assay run --evidence full"),
    ("load-summary.json", include_str!("../../reports/schema/load-summary.json"), "kube-assay load WORKLOAD"),
    (
        "history-entry.json",
        include_str!("../../reports/schema/history-entry.json"),
        "kube-assay history add RESULT --store DIR",
    ),
    ("mutation-matrix.json", include_str!("../../reports/schema/mutation-matrix.json"), "kube-assay prove"),
    (
        "comparison.json",
        include_str!("../../reports/schema/comparison.json"),
        "kube-assay compare -o json BASE NEW",
    ),
    (
        "load-comparison.json",
        include_str!("../../reports/schema/load-comparison.json"),
        "kube-assay compare -o json BASE NEW",
    ),
    (
        "load-pairs.json",
        include_str!("../../reports/schema/load-pairs.json"),
        "kube-assay load WORKLOAD --against '--server URL' -o json",
    ),
    (SLO, include_str!("../../reports/schema/slo.json"), "kube-assay load WORKLOAD --slo FILE.toml"),
    ("clause.json", include_str!("../../reports/schema/clause.json"), "kube-assay explain -o json health"),
    (
        "certificate.json",
        include_str!("../../reports/schema/certificate.json"),
        "kube-assay certify EVIDENCE --implementation FILE --key FILE",
    ),
    ("requirements.json", include_str!("../../reports/schema/requirements.json"), "cargo ci requirements"),
    ("removals.json", include_str!("../../reports/schema/removals.json"), "kube-assay removals -o json"),
    ("version.json", include_str!("../../reports/schema/version.json"), "kube-assay version -o json"),
];

const INTRODUCTION: &str = "\
# Files for programs

The files in the output folder (`--output-dir`) and the documents of `-o json`, field by field. `-o json` of `run` and
`load` is their summary.json. A field marked with `?` may be absent. Fields are added
within a format; when one changes its meaning or goes away, `format` changes, and readers of kube-assay refuse the file.
This page is written by `cargo ci docs` from the JSON schemas.
";

/// The whole page.
pub(super) fn markdown() -> String {
    let sections = SCHEMAS.iter().map(|(file, schema, command)| {
        let schema: Value = serde_json::from_str(schema).unwrap();
        section(file, &schema, command)
    });
    std::iter::once(INTRODUCTION.to_owned()).chain(sections).collect()
}

fn section(file: &str, schema: &Value, command: &str) -> String {
    let (title, description) = (text(schema, "title"), text(schema, "description"));
    let verb = if file == SLO { "reads" } else { "writes" };
    let link = format!("`{command}` {verb} it; its schema is [`{file}`](../reports/schema/{file}).");
    let mut section = format!("\n## {title}\n\n{description} {link}\n");
    section += &table(schema);
    let definitions = schema["$defs"].as_object().into_iter().flatten();
    for (name, definition) in definitions.filter(|(_, definition)| definition["properties"].is_object()) {
        section.extend(["\n### ", name.as_str(), " (", title, ")\n"]);
        let description = text(definition, "description");
        if !description.is_empty() {
            section.extend(["\n", description, "\n"]);
        }
        section += &table(definition);
    }
    section
}

/// The fields of an object; nothing where it has none.
fn table(object: &Value) -> String {
    let rows = rows(object, "");
    if rows.is_empty() {
        return String::new();
    }
    format!("\n| field | type | meaning |\n|---|---|---|\n{rows}")
}

/// A row for each field, and for the fields of objects that stand in its place.
fn rows(object: &Value, prefix: &str) -> String {
    let none = Map::new();
    let fields = object["properties"].as_object().unwrap_or(&none);
    let required = object["required"].as_array().map_or(&[][..], Vec::as_slice);
    let row = |(name, field): (&String, &Value)| {
        let absent = if required.contains(&name.as_str().into()) { "" } else { "?" };
        let path = format!("{prefix}{name}");
        let meaning = text(field, "description").replace('|', "\\|");
        let row = format!("| `{path}`{absent} | {} | {meaning} |\n", kind(field));
        row + &rows(field, &format!("{path}.")) + &rows(&field["items"], &format!("{path}[]."))
    };
    fields.iter().map(row).collect()
}

/// The type of a field, in a few words.
fn kind(field: &Value) -> String {
    if let Some(name) = field["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return name.to_owned();
    }
    if let Some(values) = field["enum"].as_array() {
        return values.iter().map(|value| format!("`{}`", plain(value))).collect::<Vec<_>>().join(", ");
    }
    if let Some(choices) = field["anyOf"].as_array().or(field["oneOf"].as_array()) {
        return choices.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match &field["type"] {
        Value::String(kind) if kind == "array" => format!("array of {}", kind_of_items(&field["items"])),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().map(plain).collect::<Vec<_>>().join(" or "),
        _ => format!("`{}`", plain(&field["const"])),
    }
}

fn kind_of_items(items: &Value) -> String {
    if items.is_null() { "any".to_owned() } else { kind(items) }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn text<'a>(schema: &'a Value, field: &str) -> &'a str {
    schema[field].as_str().unwrap_or_default()
}
