//! The scale subresource of custom types: three fields of an object under another kind.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{Answer, Call, json};
use crate::failure::Failure;
use crate::patch::Patch;
use crate::resource::ResourceType;
use crate::route::Verb;
use crate::strategy::Part;
use crate::write::Target;
use crate::{body, update};

/// The scale of an object.
pub(crate) fn read(ty: &ResourceType, object: &Value) -> Result<Value, Failure> {
    let paths = paths(ty).ok_or_else(Failure::no_such_resource)?;
    let at = |name: &str| paths[name].as_str().and_then(|path| object.pointer(&pointer(path)));
    let number = |name: &str| at(name).and_then(Value::as_i64).unwrap_or(0);
    let mut metadata = serde_json::Map::new();
    for field in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = object["metadata"].get(field) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    let mut status = json!({"replicas": number("statusReplicasPath")});
    if let Some(selector) = at("labelSelectorPath") {
        status["selector"] = selector.clone();
    }
    let replicas = number("specReplicasPath");
    Ok(json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata,
        "spec": {"replicas": replicas}, "status": status,
    }))
}

/// Writes the wanted number through the scale.
pub(crate) fn write(call: &Call, verb: Verb, target: &Target<'_>) -> Answer {
    let ty = target.ty;
    let paths = paths(ty).ok_or_else(Failure::no_such_resource)?;
    let pointer = pointer(paths["specReplicasPath"].as_str().unwrap_or_default());
    let media = body::media_type(&call.headers);
    let written = update::patch(target, Part::Main, |current| {
        let scale = read(ty, current)?;
        let wanted = match verb {
            Verb::Patch => Patch::read(&media, &call.body, ty)?.apply(&scale_type(), &scale)?,
            _ => body::object(&call.headers, &call.body, &scale_type())?,
        };
        let mut object = current.clone();
        object["metadata"]["resourceVersion"] = wanted["metadata"]["resourceVersion"].clone();
        let replicas = wanted["spec"]["replicas"].as_i64().unwrap_or(0);
        if let Some(place) = object.pointer_mut(&pointer) {
            *place = replicas.into();
        } else {
            set(&mut object, &pointer, replicas.into());
        }
        Ok(object)
    })?;
    Ok(json(StatusCode::OK, &read(ty, &written)?))
}

fn set(object: &mut Value, pointer: &str, value: Value) {
    let mut place = object;
    for name in pointer.split('/').skip(1) {
        if !(place.is_object() || place.is_null()) {
            return;
        }
        place = &mut place[name];
    }
    *place = value;
}

fn paths(ty: &ResourceType) -> Option<&Value> {
    ty.custom.as_ref()?.scale.as_ref()
}

fn pointer(path: &str) -> String {
    path.replace('.', "/")
}

fn scale_type() -> ResourceType {
    ResourceType {
        group: "autoscaling".to_owned(),
        version: "v1".to_owned(),
        kind: "Scale".to_owned(),
        plural: "scales".to_owned(),
        ..ResourceType::default()
    }
}
