//! The body of an apply: YAML, JSON and partial objects.

use std::iter::once;

use super::MANAGER;
use crate::fields::remove;
use crate::patch_types;
use crate::prelude::*;
use crate::unchanged_object::content;

rows![apply_requests_yaml_body, apply_requests_json_body, apply_requests_same_serialization];

async fn apply_requests_yaml_body(fixture: ApplyFixture) -> Checked {
    let texts = [("lines", "one\n  two: 2\n"), ("answer", "yes"), ("number", "1.0")];
    let text: String = once("# an object\n".to_owned()).chain(lines(&fixture.whole(&texts), "")).collect();

    let request = patch_types::raw_patch(&fixture.collection, fixture.name, APPLY, &text);
    let response = fixture.send(request.query("fieldManager", MANAGER)).await?;

    let expected = [("lines", Some("one\n  two: 2\n")), ("answer", Some("yes")), ("number", Some("1.0"))];
    fixture.expect_texts(&response, &expected).await
}

/// A value in the block style of YAML: one line for each field and item.
fn lines(value: &Value, margin: &str) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{margin}{name}:{}", after(value, margin))).collect()
        }
        Value::Array(items) => items.iter().map(|item| format!("{margin}-{}", after(item, margin))).collect(),
        _ => Vec::new(),
    }
}

/// The text after the name of a field: a scalar in the same line, other values in indented lines.
fn after(value: &Value, margin: &str) -> String {
    let margin = format!("{margin}  ");
    match value {
        Value::Object(fields) if !fields.is_empty() => format!("\n{}", lines(value, &margin).concat()),
        Value::Array(items) if !items.is_empty() => format!("\n{}", lines(value, &margin).concat()),
        Value::String(text) if text.ends_with('\n') => {
            let lines: Vec<_> = text.lines().map(|line| format!("{margin}{line}\n")).collect();
            format!(" |\n{}", lines.concat())
        }
        Value::String(text) if is_plain(text) => format!(" {text}\n"),
        scalar => format!(" {scalar}\n"),
    }
}

/// Whether a text needs no quotes: the words with another meaning in YAML are shorter.
fn is_plain(text: &str) -> bool {
    text.len() > 5 && text.chars().all(|character| character.is_ascii_alphabetic())
}

async fn apply_requests_json_body(fixture: ApplyFixture) -> Checked {
    let response = fixture.send(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    fixture.expect_texts(&response, &[("k", Some("v"))]).await
}

async fn apply_requests_same_serialization(fixture: ApplyFixture) -> Checked {
    let created = fixture.created(&[("k", "v")]).await?;
    let another = fixture.of("b");
    let name = json!({ "metadata": { "name": another.collection.name_of("b") } });
    let body = Object::new(own(&created)).with(&name)?;
    // The delete frees values that only one object may have, such as the address of a Service.
    fixture.collection.delete("a").await?;

    let applied = another.send(another.applying_body(MANAGER, &body)).await?;

    let (expected, actual) = (own(&created), own(&applied.object()?));
    let expected_text = format!("the created object with another name: {expected}");
    applied.expect(same(&expected, &actual), expected_text, actual.to_string())
}

/// An object without fields that only the server writes.
fn own(object: &Object) -> Value {
    let mut own = content(object);
    own["apiVersion"] = object.json()["apiVersion"].clone();
    own["kind"] = object.json()["kind"].clone();
    if let Some(metadata) = own["metadata"].as_object_mut() {
        metadata.retain(|field, _| !["uid", "creationTimestamp", "selfLink"].contains(&field.as_str()));
    }
    own
}

/// Whether two objects are equal except for their names.
fn same(one: &Value, other: &Value) -> bool {
    let nameless = |object: &Value| {
        let mut object = object.clone();
        remove(&mut object["metadata"], "name");
        object
    };
    nameless(one) == nameless(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_maps_and_texts_of_several_lines_are_written_in_blocks() {
        let object = json!({ "kind": "Gadget", "a": { "b": [{ "c": "yes" }, 1], "d": {} }, "e": "f\n g\n" });
        let expected = "kind: Gadget\na:\n  b:\n    -\n      c: \"yes\"\n    - 1\n  d: {}\ne: |\n  f\n   g\n";
        assert_eq!(lines(&object, "").concat(), expected);
    }
}
