//! Scale subresource: reads and writes of replicas.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{Answer, Call, json};
use crate::apply::Path;
use crate::body;
use crate::failure::{Cause, Failure};
use crate::field_validation::FieldCheck;
use crate::managed_fields::{self, Place, ScaleEntries, Writer};
use crate::metadata;
use crate::patch::{Configuration, Patch};
use crate::resource_type::{Custom, ResourceType};
use crate::route::Verb;
use crate::strategy::Part;
use crate::update::{self, Next};
use crate::write::Target;

/// Where the numbers of a scale are in an object.
struct Places {
    wanted: String,
    found: String,
    selector: Option<String>,
}

/// The scale of an object.
pub(crate) fn read(ty: &ResourceType, object: &Value) -> Result<Value, Failure> {
    let places = places(ty).ok_or_else(Failure::no_such_resource)?;
    if ty.custom.is_some() && object.pointer(&places.wanted).is_none() {
        let path = places.wanted.replace('/', ".");
        return Err(Failure::internal(&format!("the spec replicas field {path:?} does not exist")));
    }
    Ok(shown(ty, &places, object))
}

/// The scale, also of an object that does not say yet how many are wanted.
fn shown(ty: &ResourceType, places: &Places, object: &Value) -> Value {
    let number = |pointer: &str| object.pointer(pointer).and_then(Value::as_i64).unwrap_or(0);
    let mut metadata = serde_json::Map::new();
    for field in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = object["metadata"].get(field) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    let mut status = json!({"replicas": number(&places.found)});
    let selector = match &places.selector {
        Some(pointer) => object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned(),
        None if ty.custom.is_none() => selector_text(&object["spec"]["selector"]),
        None => String::new(),
    };
    if !selector.is_empty() {
        status["selector"] = selector.into();
    }
    // Nothing wanted is not told.
    let spec = match number(&places.wanted) {
        0 => json!({}),
        replicas => json!({"replicas": replicas}),
    };
    json!({"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata, "spec": spec, "status": status})
}

/// Writes the wanted number through the scale.
pub(crate) fn write(call: &Call, verb: Verb, target: &Target<'_>, check: &mut FieldCheck) -> Answer {
    let scales = scale_type();
    let change = match verb {
        Verb::Patch => ScaleChange::By(Patch::read(&body::media_type(&call.headers), &call.body, target.ty)?),
        _ => ScaleChange::To(body::decoded(&call.headers, &call.body, &scales, check)?),
    };
    if let ScaleChange::To(scale) = &change {
        target.check_place(scale)?;
    }
    through(target, &scales, |writer, live| {
        let mut scale = match change {
            ScaleChange::By(patch) => patch.apply(&scales, live, check)?,
            ScaleChange::To(scale) => scale,
        };
        let managers = managed_fields::track(writer, Some(live), &scale);
        managed_fields::set_entries(&mut scale, managers);
        Ok(scale)
    })
}

/// Applies the wanted number through the scale.
pub(crate) fn apply(target: &Target<'_>, config: &Configuration, check: &mut FieldCheck) -> Answer {
    let scales = scale_type();
    through(target, &scales, |writer, live| {
        let custom = target.ty.custom.is_some();
        if custom && managed_fields::entries(live).is_null() {
            return Err(no_version(
                "failed to create manager for existing fields: failed to convert live",
                "",
            ));
        }
        let (scale, changed) = config.merge(writer, Some(live), check)?;
        if custom && changed {
            return Err(no_version("failed to convert new", target.name));
        }
        Ok(scale)
    })
}

/// The scale of a custom type is none of its versions, so that it can only stay as it is.
fn no_version(what: &str, name: &str) -> Failure {
    Failure::untranslated(format!(
        "{what} object (/{name}; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid \
         group/version: autoscaling/v1"
    ))
}

/// Writes an object through its scale, of which a function makes another one.
fn through(
    target: &Target<'_>,
    scales: &ResourceType,
    change: impl FnOnce(&Writer<'_>, &Value) -> Result<Value, Failure>,
) -> Answer {
    let ty = target.ty;
    let places = places(ty).ok_or_else(Failure::no_such_resource)?;
    let writer = Writer::of_scale(target.manager, scales);
    let written = update::patch(target, Part::Main, |current| {
        let place = |version: &str| place_of_wanted(ty, version);
        let entries = ScaleEntries {
            parent: managed_fields::entries(current),
            version: ty.api_version(),
            place: &place,
        };
        let mut live = shown(ty, &places, current);
        managed_fields::set_entries(&mut live, entries.of_scale());
        let scale = change(&writer, &live)?;
        target.check_place(&scale)?;
        metadata::check_premise(ty, current, "", metadata::text(&scale, "uid"))?;
        check_wanted(target, &scale)?;
        let mut object = current.clone();
        object["metadata"]["resourceVersion"] = scale["metadata"]["resourceVersion"].clone();
        set(&mut object, &places.wanted, scale["spec"]["replicas"].as_i64().unwrap_or(0).into());
        let managers = entries.of_parent(managed_fields::entries(&scale));
        Ok(Next { object, managers: Some(managers) })
    })?;
    Ok(json(StatusCode::OK, &read(ty, &written)?))
}

/// Where the wanted number is in a version.
fn place_of_wanted(ty: &ResourceType, version: &str) -> Place {
    let at = |path: &str| {
        Place::At(Path::of(&path.split('.').filter(|name| !name.is_empty()).collect::<Vec<_>>()))
    };
    let Some(custom) = &ty.custom else {
        return if version == ty.api_version() { at(".spec.replicas") } else { Place::NoVersion };
    };
    let name = version.strip_prefix(&ty.group).and_then(|rest| rest.strip_prefix('/'));
    let Some(found) = name.and_then(|name| custom.versions.get(name)) else { return Place::NoVersion };
    found["subresources"]["scale"]["specReplicasPath"].as_str().map_or(Place::NoScale, at)
}

enum ScaleChange {
    By(Patch),
    To(Value),
}

fn check_wanted(target: &Target<'_>, scale: &Value) -> Result<(), Failure> {
    let wanted = &scale["spec"]["replicas"];
    if target.ty.custom.is_some() || wanted.as_i64().is_none_or(|wanted| wanted >= 0) {
        return Ok(());
    }
    let cause = Cause::invalid("spec.replicas", wanted, "must be greater than or equal to 0");
    Err(Failure::invalid("autoscaling", "Scale", target.name, &[cause]))
}

/// What is wrong with the wanted number in an object of a custom type.
pub(crate) fn wrong_replicas(custom: &Custom, object: &Value) -> Option<Cause> {
    let path = custom.scale.as_ref()?["specReplicasPath"].as_str()?;
    let wanted = object.pointer(&pointer(path))?;
    if wanted.is_null() {
        let why = format!("{path} accessor error: <nil> is of the type <nil>, expected int64");
        return Some(Cause::invalid(path, &0.into(), &why));
    }
    let negative = wanted.as_i64().is_some_and(|number| number < 0);
    negative.then(|| Cause::invalid(path, wanted, "should be a non-negative integer"))
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

fn places(ty: &ResourceType) -> Option<Places> {
    let Some(custom) = &ty.custom else {
        return Some(Places {
            wanted: "/spec/replicas".to_owned(),
            found: "/status/replicas".to_owned(),
            selector: None,
        });
    };
    let scale = custom.scale.as_ref()?;
    let at = |name: &str| scale[name].as_str().map(pointer);
    Some(Places {
        wanted: at("specReplicasPath")?,
        found: at("statusReplicasPath")?,
        selector: at("labelSelectorPath"),
    })
}

fn pointer(path: &str) -> String {
    path.replace('.', "/")
}

/// A label selector as text.
fn selector_text(selector: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let labels = selector["matchLabels"].as_object().into_iter().flatten();
    let mut terms: Vec<String> = labels.map(|(key, value)| format!("{key}={}", text(value))).collect();
    for expression in selector["matchExpressions"].as_array().into_iter().flatten() {
        let values: Vec<String> = expression["values"].as_array().into_iter().flatten().map(text).collect();
        let (key, values) = (text(&expression["key"]), values.join(","));
        terms.push(match expression["operator"].as_str().unwrap_or_default() {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "DoesNotExist" => format!("!{key}"),
            _ => key,
        });
    }
    terms.sort();
    terms.join(",")
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
