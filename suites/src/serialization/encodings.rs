//! YAML, Protobuf and CBOR.

use crate::patch_types;
use crate::prelude::*;

rows![serialization_yaml_in_out, serialization_protobuf_in_out, serialization_accept_preference_order];

const YAML: &str = "application/yaml";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// What a body in protobuf begins with.
const MAGIC: &[u8] = b"k8s\0";

/// Whether an answer is labelled as this.
fn is_labelled(answer: &Exchange, media_type: &str) -> bool {
    answer.header("content-type").is_some_and(|media| media.split(';').next() == Some(media_type))
}

/// An object with a number and a truth value, as far as its type has fields for them; not yet sent.
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

/// What of one document stands in another one otherwise.
fn missing<'a>(wanted: &'a Value, shown: &Value) -> Option<&'a Value> {
    match wanted {
        Value::Object(fields) => {
            fields.iter().find_map(|(name, value)| missing(value, &shown[name.as_str()]))
        }
        other => (other != shown).then_some(other),
    }
}

async fn serialization_yaml_in_out(cx: Context, collection: Collection) -> Checked {
    let mut body = body(&collection);
    let yaml = patch_types::yaml(&body);

    let created =
        cx.send(patch_types::raw(Request::new(Method::POST, collection.path()), YAML, &yaml)).await?;

    created.expect_status(&[201, 415])?;
    if created.status() == 415 {
        cx.note("YAML is not read here");
        collection.create_body(&body).await?;
    }
    // In a list, elements may have been completed.
    for list in ["/rules", "/spec/template/spec/containers"] {
        if let Some(list) = body.pointer_mut(list) {
            *list = json!({});
        }
    }
    let got = collection.get(NAME).await?;
    let other = missing(&body, got.object()?.json());
    let shown = other.map(ToString::to_string).unwrap_or_default();
    got.expect(other.is_none(), format!("what was sent: {yaml}"), format!("otherwise: {shown}"))?;
    yaml_is_given_back(&cx, &collection).await
}

/// What is given in YAML, where it is, can be sent as it came, and changes nothing.
async fn yaml_is_given_back(cx: &Context, collection: &Collection) -> Checked {
    let before = collection.get(NAME).object().await?;
    let got = collection.get(NAME).with(|request| request.accept(YAML)).await?;
    if got.status() == 406 {
        cx.note("YAML is not written here");
        return Ok(());
    }
    got.expect_status(&[200])?;
    got.expect(is_labelled(&got, YAML), format!("Content-Type {YAML}"), got.brief())?;
    let put = Request::new(Method::PUT, collection.path_of(NAME));
    let put = cx.send(patch_types::raw(put, YAML, &got.text())).await?;
    put.expect_status(&[200, 415])?;
    crate::unchanged_object::expect_unchanged(collection, NAME, &before).await
}

async fn serialization_protobuf_in_out(stored: StoredObject) -> Checked {
    let got = stored.get().with(|request| request.accept(PROTOBUF)).await?;

    got.expect_status(&[200, 406])?;
    if got.status() == 406 {
        return Ok(());
    }
    got.expect(is_labelled(&got, PROTOBUF), format!("Content-Type {PROTOBUF}"), "another")?;
    let begins = got.response.body.starts_with(MAGIC);
    got.expect(begins, "a body that begins with 6b 38 73 00", got.text().chars().take(20).collect::<String>())
}

async fn serialization_accept_preference_order(stored: StoredObject) -> Checked {
    let both = format!("{PROTOBUF}, application/json");

    let got = stored.get().with(|request| request.accept(&both)).await?;

    got.expect_status(&[200])?;
    let right = if is_labelled(&got, PROTOBUF) {
        got.response.body.starts_with(MAGIC)
    } else {
        is_labelled(&got, "application/json") && got.json().is_some()
    };
    got.expect(right, "protobuf or JSON, and so labelled", got.brief())
}
