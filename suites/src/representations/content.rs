//! The content of a response, read by its Content-Type.

use crate::cbor::{self, CBOR};
use crate::prelude::*;
use crate::representations::protobuf_envelope::status_code;
use crate::serialization::encodings::{MAGIC, PROTOBUF, YAML, is_of_type};

pub(super) const PLAIN_JSON: &str = "application/json";

/// The encodings of responses.
pub(super) const ENCODINGS: [&str; 4] = [PLAIN_JSON, YAML, PROTOBUF, CBOR];

/// The encodings that a server may lack, each with its feature.
const FEATURES: [(&str, &str); 3] = [(YAML, "YAML"), (PROTOBUF, "Protobuf"), (CBOR, "CBOR")];

/// Skips if the server does not return this media type: it responds with 406, or with another type.
pub(super) fn offered(cx: &Context, response: &Exchange, media_type: &str) -> Checked {
    let named = FEATURES.iter().find(|(encoding, _)| media_type.starts_with(encoding));
    let Some((encoding, feature)) = named else { return Ok(()) };
    match response.status() {
        406 => Err(cx.lacks(feature, format!("a request for {encoding} gets 406"))),
        200 if !is_of_type(response, encoding) => {
            let other = response.header("content-type").unwrap_or("no Content-Type");
            Err(cx.lacks(feature, format!("a request for {encoding} gets {other}")))
        }
        _ => response.expect_status(&[200]),
    }
}

/// A create in this media type succeeded. Skips after a 406 or 415 if a list in this media type gets 406 as well.
pub(super) async fn expect_created(cx: &Context, collection: &Collection, created: &Exchange) -> Checked {
    let media_type = created.request.content_type().unwrap_or_default();
    if [406, 415].contains(&created.status()) {
        let list = collection.list().limit(1).with(|request| request.accept(media_type)).await?;
        offered(cx, &list, media_type)?;
    }
    created.expect_status(&[201])
}

/// Whether the server returns a built-in type in this media type.
pub(super) async fn offers_built_in_type(cx: &Context, media_type: &str) -> Result<bool, Halt> {
    let list = cx.configmaps().await?.list().limit(1).with(|request| request.accept(media_type)).await?;
    Ok(list.status() == 200 && is_of_type(&list, media_type))
}

/// The response has this media type, and content of it.
pub(super) fn expect_encoding(response: &Exchange, media_type: &str) -> Checked {
    let right = is_of_type(response, media_type);
    let actual = response.header("content-type").unwrap_or("none");
    response.expect(right, format!("Content-Type {media_type}"), actual)?;
    expect_content(response)
}

/// The body is what the Content-Type says.
pub(super) fn expect_content(response: &Exchange) -> Checked {
    let body = &response.response.body;
    let media_type =
        response.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
    let right = match media_type {
        PLAIN_JSON => response.json().is_some(),
        PROTOBUF => body.starts_with(MAGIC),
        YAML | CBOR => decoded(response).is_some_and(|value| value.is_object()),
        "" => body.is_empty(),
        _ => !body.starts_with(MAGIC) && response.json().is_none(),
    };
    response.expect(right, format!("a body of {media_type}"), beginning(response))
}

/// The value of a body in JSON, YAML or CBOR; `None` if it is malformed.
pub(super) fn decoded(response: &Exchange) -> Option<Value> {
    if is_of_type(response, CBOR) {
        let mut items = cbor::read(&response.response.body)?;
        return items.pop().filter(|_| items.is_empty());
    }
    if is_of_type(response, YAML) {
        return serde_saphyr::from_str(&response.text()).ok();
    }
    response.json().cloned()
}

/// The code of a Status, in any encoding.
pub(super) fn code_of_status(response: &Exchange) -> Option<i64> {
    if is_of_type(response, PROTOBUF) {
        return status_code(response);
    }
    let status = decoded(response).filter(|value| value["kind"] == "Status")?;
    status["code"].as_i64()
}

/// Two responses have the same object, or the same items.
pub(super) fn expect_same_value(response: &Exchange, plain: &Exchange) -> Checked {
    let expected = plain.json().cloned().map(without_list_metadata).unwrap_or_default();
    let value = decoded(response).map(without_list_metadata);
    let actual = value.as_ref().map_or_else(|| beginning(response), Value::to_string);
    response.expect(value.as_ref() == Some(&expected), format!("as in JSON: {expected}"), actual)
}

/// Other clients write between two lists, so that their versions differ.
fn without_list_metadata(mut value: Value) -> Value {
    if value["items"].is_array() {
        value["metadata"] = Value::Null;
    }
    value
}

/// The beginning of a body.
pub(super) fn beginning(response: &Exchange) -> String {
    response.response.body.iter().take(20).map(|byte| byte.escape_ascii().to_string()).collect()
}

/// An object whose strings look like other values; not yet sent.
pub(super) fn body_of_strings(collection: &Collection, name: &str) -> Value {
    let mut body = collection.body(name, "first");
    for (label, text) in [("number", "1"), ("boolean", "true"), ("word", "no")] {
        body["metadata"]["annotations"][format!("kube-assay.dev/{label}")] = text.into();
    }
    body
}
