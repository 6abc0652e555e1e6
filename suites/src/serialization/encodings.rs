//! YAML, Protobuf and CBOR.

use crate::patch_types;
use crate::prelude::*;

rows![serialization_yaml_in_out, serialization_protobuf_in_out, serialization_accept_preference_order];

pub(crate) const YAML: &str = "application/yaml";
pub(crate) const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// The prefix of every body in protobuf.
pub(crate) const MAGIC: &[u8] = b"k8s\0";

/// Whether this is the media type of a response.
pub(crate) fn is_of_type(response: &Exchange, media_type: &str) -> bool {
    response.header("content-type").is_some_and(|media| media.split(';').next() == Some(media_type))
}

/// An object with a number and a boolean, as far as its type has fields for them; not yet sent.
fn body(collection: &Collection) -> Value {
    let mut body = collection.body(NAME, "first");
    match collection.resource().plural.as_str() {
        "gadgets" => {
            body["spec"]["size"] = json!(5);
            body["spec"]["done"] = json!(true);
        }
        "deployments" => {
            body["spec"]["replicas"] = json!(0);
            body["spec"]["paused"] = json!(true);
        }
        "configmaps" => body["immutable"] = json!(false),
        _ => {}
    }
    body
}

/// A value of the first document that the second one has not.
fn missing<'a>(expected: &'a Value, actual: &Value) -> Option<&'a Value> {
    match expected {
        Value::Object(fields) => {
            fields.iter().find_map(|(name, value)| missing(value, &actual[name.as_str()]))
        }
        other => (other != actual).then_some(other),
    }
}

async fn serialization_yaml_in_out(cx: Context, collection: Collection) -> Checked {
    let mut body = body(&collection);
    let yaml = patch_types::yaml(&body);

    let post = Request::new(Method::POST, collection.path());
    let created = cx.send(patch_types::raw(post, YAML, &yaml)).await?;

    created.expect_status(&[201, 415])?;
    if created.status() == 415 {
        cx.note("the server does not accept YAML");
        collection.create_body(&body).await?;
    }
    // The server may set defaults in the elements of a list.
    for list in ["/rules", "/spec/template/spec/containers"] {
        if let Some(list) = body.pointer_mut(list) {
            *list = json!({});
        }
    }
    let got = collection.get(NAME).await?;
    let missing = missing(&body, got.object()?.json());
    let actual = format!("without {}", missing.unwrap_or(&Value::Null));
    got.expect(missing.is_none(), format!("the object as in the request: {yaml}"), actual)?;
    expect_yaml_round_trip(&cx, collection).await
}

/// A PUT of the YAML that the server returns, if it does, changes nothing.
async fn expect_yaml_round_trip(cx: &Context, collection: Collection) -> Checked {
    let stored = StoredObject::read(cx, collection).await?;
    let got = stored.get().with(|request| request.accept(YAML)).await?;
    if got.status() == 406 {
        cx.note("the server does not return YAML");
        return Ok(());
    }
    got.expect_status(&[200])?;
    got.expect(is_of_type(&got, YAML), format!("Content-Type {YAML}"), got.brief())?;
    let put = Request::new(Method::PUT, stored.path());
    let put = cx.send(patch_types::raw(put, YAML, &got.text())).await?;
    put.expect_status(&[200, 415])?;
    stored.expect_unchanged().await
}

async fn serialization_protobuf_in_out(stored: StoredObject) -> Checked {
    let got = stored.get().with(|request| request.accept(PROTOBUF)).await?;

    got.expect_status(&[200, 406])?;
    if got.status() == 406 {
        return Ok(());
    }
    got.expect(is_of_type(&got, PROTOBUF), format!("Content-Type {PROTOBUF}"), "another")?;
    let prefixed = got.response.body.starts_with(MAGIC);
    let actual: String = got.text().chars().take(20).collect();
    got.expect(prefixed, "a body with the prefix 6b 38 73 00", actual)
}

async fn serialization_accept_preference_order(stored: StoredObject) -> Checked {
    let both = format!("{PROTOBUF}, application/json");

    let got = stored.get().with(|request| request.accept(&both)).await?;

    got.expect_status(&[200])?;
    let right = if is_of_type(&got, PROTOBUF) {
        got.response.body.starts_with(MAGIC)
    } else {
        is_of_type(&got, "application/json") && got.json().is_some()
    };
    got.expect(right, "protobuf or JSON, with the Content-Type of the body", got.brief())
}
