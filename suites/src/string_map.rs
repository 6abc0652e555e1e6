//! A string map that objects of every kind have.

use serde_json::Map;

use crate::prelude::*;

/// A text that is expected under a name, or that none is.
pub(crate) type Expected = (&'static str, Option<&'static str>);

/// Where the objects of a type hold them, as a JSON pointer: config maps in their data, all others in annotations.
pub(crate) fn place(collection: &Collection) -> &'static str {
    if is_config_map(collection) { "/data" } else { "/metadata/annotations" }
}

fn is_config_map(collection: &Collection) -> bool {
    let resource = collection.resource();
    resource.group.is_empty() && resource.plural == "configmaps"
}

/// An object that holds these texts; not yet sent.
pub(crate) fn body(collection: &Collection, name: &str, texts: &[(&str, &str)]) -> Value {
    let mut body = collection.body(name, "first");
    let map =
        if is_config_map(collection) { &mut body["data"] } else { &mut body["metadata"]["annotations"] };
    for (key, text) in texts {
        map[*key] = json!(text);
    }
    body
}

/// Creates an object that holds these texts.
pub(crate) async fn create(
    collection: &Collection,
    name: &str,
    texts: &[(&str, &str)],
) -> Result<Object, Halt> {
    collection.create_body(&body(collection, name, texts)).await
}

/// A merge patch of texts.
pub(crate) fn merge(collection: &Collection, texts: &Value) -> Value {
    if is_config_map(collection) {
        json!({ "data": texts })
    } else {
        json!({ "metadata": { "annotations": texts } })
    }
}

/// A merge patch that sets one text.
pub(crate) fn set(collection: &Collection, key: &str, text: &str) -> Value {
    merge(collection, &Value::Object(Map::from_iter([(key.to_owned(), json!(text))])))
}

/// A JSON patch; `@` is the path of the string map.
pub(crate) fn operations(collection: &Collection, written: &str) -> String {
    written.replace('@', place(collection))
}

/// A text of an object.
pub(crate) fn held<'a>(collection: &Collection, object: &'a Object, key: &str) -> Option<&'a Value> {
    object.json().pointer(place(collection))?.get(key)
}

/// The response has an object with these texts.
pub(crate) fn expect(collection: &Collection, response: &Exchange, texts: &[Expected]) -> Checked {
    let object = response.object()?;
    for &(key, text) in texts {
        let shown = held(collection, &object, key);
        let expected = text.map_or_else(|| format!("no {key}"), |text| format!("{key}: {text:?}"));
        let actual = shown.map_or_else(|| format!("no {key}"), |shown| format!("{key}: {shown}"));
        let path = place(collection);
        let same = shown == text.map(Value::from).as_ref();
        response.expect(same, format!("{path} with {expected}"), format!("{path} with {actual}"))?;
    }
    Ok(())
}

/// The request succeeded, with any code and body, and an object with these texts is stored.
pub(crate) async fn expect_taken(
    collection: &Collection,
    name: &str,
    response: &Exchange,
    texts: &[Expected],
) -> Checked {
    response.expect(response.succeeded(), "success", response.brief())?;
    expect(collection, &*collection.get(name).await?, texts)
}

/// The response and the stored object have these texts.
pub(crate) async fn expect_stored(
    collection: &Collection,
    name: &str,
    response: &Exchange,
    texts: &[Expected],
) -> Checked {
    expect(collection, response, texts)?;
    expect(collection, &*collection.get(name).await?, texts)
}
