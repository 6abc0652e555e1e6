//! Fields of well-known built-in kinds.

use crate::openapi::{Definition, Published};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let fields = table(FIELDS, Kinds::Own, fields_are_integers);
    let own = rows_of_kinds().into_iter().map(Row::own_kinds);
    own.chain(fields).map(Row::read_only).collect()
}

fn rows_of_kinds() -> Vec<Row> {
    vec![
        row!(schema_conventions_object_reference_shape),
        row!(schema_conventions_named_lists_have_name_key),
        row!(schema_conventions_union_members_optional),
        row!(schema_conventions_required_published),
        row!(schema_conventions_quantity_is_string),
    ]
}

/// Fields by kind, name and format.
type Integers = &'static [(&'static str, &'static str, &'static str)];

#[rustfmt::skip]
const FIELDS: &[(&str, Integers)] = &[
    ("schema-conventions-timeout-seconds", &[
        ("Probe", "timeoutSeconds", "int32"),
        ("MutatingWebhook", "timeoutSeconds", "int32"),
        ("ClientIPConfig", "timeoutSeconds", "int32"),
    ]),
    ("schema-conventions-deadline-seconds", &[
        ("DeploymentSpec", "progressDeadlineSeconds", "int32"),
        ("JobSpec", "activeDeadlineSeconds", "int64"),
        ("PodSpec", "activeDeadlineSeconds", "int64"),
        ("CronJobSpec", "startingDeadlineSeconds", "int64"),
    ]),
];

async fn fields_are_integers(cx: Context, fields: Integers) -> Checked {
    let published = Published::arrange(&cx).await?;
    let kinds: Vec<_> = fields.iter().map(|(kind, ..)| *kind).collect();

    for definition in of_kinds(&published, &kinds)? {
        for (_, name, format) in fields.iter().filter(|(kind, ..)| *kind == definition.kind()) {
            let field = definition.property(name).unwrap_or(&Value::Null);
            let is_it = field["type"] == "integer" && field["format"] == *format;
            definition.expect(
                is_it,
                &format!("{name}, an integer of format {format}"),
                &field.to_string(),
            )?;
        }
    }
    Ok(())
}

/// The definitions of these kinds. Skips where the server has none of them.
pub(super) fn of_kinds<'a>(published: &'a Published, kinds: &[&str]) -> Result<Vec<Definition<'a>>, Halt> {
    let mut found = published.definitions();
    found.retain(|definition| kinds.contains(&definition.kind()));
    if found.is_empty() {
        return Err(Halt::skip(format!("no built-in type of this server has {}", kinds.join(", "))));
    }
    Ok(found)
}

const REFERENCE: [&str; 7] =
    ["apiVersion", "fieldPath", "kind", "name", "namespace", "resourceVersion", "uid"];

async fn schema_conventions_object_reference_shape(published: Published) -> Checked {
    for reference in of_kinds(&published, &["ObjectReference"])? {
        let fields: Vec<_> = reference.properties().into_iter().collect();
        reference.expect(
            fields == REFERENCE,
            &format!("the fields {REFERENCE:?}"),
            &format!("{fields:?}"),
        )?;
        let strings = fields
            .iter()
            .all(|field| reference.property(field).is_some_and(|schema| schema["type"] == "string"));
        let optional = !fields.iter().any(|field| reference.requires(field));
        let schema = reference.schema.to_string();
        reference.expect(strings && optional, "strings, none of them required", &schema)?;
    }
    Ok(())
}

async fn schema_conventions_named_lists_have_name_key(published: Published) -> Checked {
    for definition in of_kinds(&published, &["PodSpec", "Container"])? {
        let (list, key) =
            if definition.kind() == "PodSpec" { ("containers", "name") } else { ("ports", "containerPort") };
        let schema = definition.property(list).unwrap_or(&Value::Null);
        let merged = schema["x-kubernetes-patch-merge-key"] == key;
        let map = schema["x-kubernetes-list-map-keys"].as_array();
        let keyed = map.is_none_or(|keys| keys.iter().any(|one| one == key));
        definition.expect(merged && keyed, &format!("{list}, merged by {key}"), &schema.to_string())?;
    }
    Ok(())
}

async fn schema_conventions_union_members_optional(published: Published) -> Checked {
    for volume in of_kinds(&published, &["Volume"])? {
        let required = &volume.schema["required"];
        volume.expect(
            *required == json!(["name"]),
            "name as the only required field",
            &required.to_string(),
        )?;
    }
    Ok(())
}

/// A kind, fields that it requires, and one that it does not.
const REQUIRED: [(&str, &[&str], &str); 3] = [
    ("PodSpec", &["containers"], "nodeName"),
    ("Container", &["name"], "image"),
    ("DeploymentSpec", &["selector", "template"], "replicas"),
];

async fn schema_conventions_required_published(published: Published) -> Checked {
    let kinds = REQUIRED.map(|(kind, ..)| kind);
    for definition in of_kinds(&published, &kinds)? {
        for (_, required, optional) in REQUIRED.iter().filter(|(kind, ..)| *kind == definition.kind()) {
            let right = required.iter().all(|field| definition.requires(field));
            let actual = definition.schema["required"].to_string();
            definition.expect(right, &format!("{required:?} among the required fields"), &actual)?;
            definition.expect(
                !definition.requires(optional),
                &format!("{optional}, not required"),
                &actual,
            )?;
        }
    }
    Ok(())
}

async fn schema_conventions_quantity_is_string(published: Published) -> Checked {
    for quantity in of_kinds(&published, &["Quantity"])? {
        let either = quantity.schema["oneOf"].as_array();
        let string = |schema: &Value| schema["type"] == "string";
        let right = string(quantity.schema) || either.is_some_and(|types| types.iter().any(string));
        quantity.expect(right, "a string", &quantity.schema.to_string())?;
    }
    Ok(())
}
