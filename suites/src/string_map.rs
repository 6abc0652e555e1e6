//! A string map that objects of every kind have.

use harness::{Checked, Collection, Exchange, Halt, Object};
use serde_json::{Map, Value, json};

/// A text that is expected under a name, or that none is.
pub(crate) type Expected = (&'static str, Option<&'static str>);

/// Where the objects of a type hold them, as a JSON pointer: config maps in their data, all others in annotations.
pub(crate) fn place(things: &Collection) -> &'static str {
    if is_config_map(things) { "/data" } else { "/metadata/annotations" }
}

fn is_config_map(things: &Collection) -> bool {
    let resource = things.resource();
    resource.group.is_empty() && resource.plural == "configmaps"
}

/// An object that holds these texts; not yet sent.
pub(crate) fn body(things: &Collection, name: &str, texts: &[(&str, &str)]) -> Value {
    let mut body = things.body(name, "first");
    let map = if is_config_map(things) { &mut body["data"] } else { &mut body["metadata"]["annotations"] };
    for (key, text) in texts {
        map[*key] = json!(text);
    }
    body
}

/// Creates an object that holds these texts.
pub(crate) async fn create(things: &Collection, name: &str, texts: &[(&str, &str)]) -> Result<Object, Halt> {
    things.create_body(&body(things, name, texts)).await
}

/// A merge patch of texts.
pub(crate) fn merge(things: &Collection, texts: &Value) -> Value {
    if is_config_map(things) {
        json!({ "data": texts })
    } else {
        json!({ "metadata": { "annotations": texts } })
    }
}

/// A merge patch that sets one text.
pub(crate) fn set(things: &Collection, key: &str, text: &str) -> Value {
    merge(things, &Value::Object(Map::from_iter([(key.to_owned(), json!(text))])))
}

/// A JSON patch, in which `@` stands for where the texts are.
pub(crate) fn operations(things: &Collection, written: &str) -> String {
    written.replace('@', place(things))
}

/// A text of an object.
pub(crate) fn held<'a>(things: &Collection, object: &'a Object, key: &str) -> Option<&'a Value> {
    object.json().pointer(place(things))?.get(key)
}

/// The answer shows an object with these texts.
pub(crate) fn expect(things: &Collection, answer: &Exchange, texts: &[Expected]) -> Checked {
    let object = answer.object()?;
    for &(key, text) in texts {
        let shown = held(things, &object, key);
        let expected = text.map_or_else(|| format!("no {key}"), |text| format!("{key}: {text:?}"));
        let actual = shown.map_or_else(|| format!("no {key}"), |shown| format!("{key}: {shown}"));
        let path = place(things);
        let same = shown == text.map(Value::from).as_ref();
        answer.expect(same, format!("{path} with {expected}"), format!("{path} with {actual}"))?;
    }
    Ok(())
}

/// The request succeeded, with whatever code and answer, and an object with these texts is stored.
pub(crate) async fn expect_taken(
    things: &Collection,
    name: &str,
    answer: &Exchange,
    texts: &[Expected],
) -> Checked {
    answer.expect(answer.succeeded(), "success", answer.brief())?;
    expect(things, &*things.get(name).await?, texts)
}

/// The answer, and what is stored, show an object with these texts.
pub(crate) async fn expect_stored(
    things: &Collection,
    name: &str,
    answer: &Exchange,
    texts: &[Expected],
) -> Checked {
    expect(things, answer, texts)?;
    expect(things, &*things.get(name).await?, texts)
}
