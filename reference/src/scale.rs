//! Scale subresource: reads and writes of replicas.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::apply::Path;
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
use crate::{body, depth};

/// The JSON pointers to the values of a scale.
struct Pointers {
    spec_replicas: String,
    status_replicas: String,
    selector: Option<String>,
}

/// The scale of an object.
pub(crate) fn read(ty: &ResourceType, object: &Value) -> Result<Value, Failure> {
    let pointers = pointers(ty).ok_or_else(Failure::no_such_resource)?;
    if ty.custom.is_some() && object.pointer(&pointers.spec_replicas).is_none() {
        let path = pointers.spec_replicas.replace('/', ".");
        return Err(Failure::internal(&format!("the spec replicas field {path:?} does not exist")));
    }
    Ok(scale_of(ty, &pointers, object))
}

/// The scale of an object, also without `spec.replicas`.
fn scale_of(ty: &ResourceType, pointers: &Pointers, object: &Value) -> Value {
    let number = |pointer: &str| object.pointer(pointer).and_then(Value::as_i64).unwrap_or(0);
    let mut metadata = serde_json::Map::new();
    for field in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = object["metadata"].get(field) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    let mut status = json!({"replicas": number(&pointers.status_replicas)});
    let selector = match &pointers.selector {
        Some(pointer) => object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned(),
        None if ty.custom.is_none() => selector_text(&object["spec"]["selector"]),
        None => String::new(),
    };
    if !selector.is_empty() {
        status["selector"] = selector.into();
    }
    // Zero is omitted.
    let spec = match number(&pointers.spec_replicas) {
        0 => json!({}),
        replicas => json!({"replicas": replicas}),
    };
    json!({"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": metadata, "spec": spec, "status": status})
}

/// Writes `spec.replicas` through the scale.
pub(crate) fn write(call: &Call, verb: Verb, target: &Target<'_>, check: &mut FieldCheck) -> ApiResult {
    let scales = scale_type();
    let change = match verb {
        Verb::Patch => {
            ScaleChange::Patch(Patch::read(&body::media_type(&call.headers), &call.body, target.ty))
        }
        _ => ScaleChange::Update(body::decoded(&call.headers, &call.body, &scales, check)?),
    };
    if let ScaleChange::Update(scale) = &change {
        target.check_place(scale)?;
    }
    write_through(target, &scales, |writer, live| {
        let mut scale = match &change {
            ScaleChange::Patch(patch) => {
                patch.as_ref().map_err(Failure::clone)?.apply(&scales, live, check)?
            }
            ScaleChange::Update(scale) => scale.clone(),
        };
        let managers = managed_fields::track(writer, Some(live), &scale);
        managed_fields::set_entries(&mut scale, managers);
        Ok(scale)
    })
}

/// Applies `spec.replicas` through the scale.
pub(crate) fn apply(target: &Target<'_>, config: &Configuration, check: &mut FieldCheck) -> ApiResult {
    let scales = scale_type();
    write_through(target, &scales, |writer, live| {
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

/// Custom types cannot convert a Scale to one of their versions, so an apply can only change nothing.
fn no_version(what: &str, name: &str) -> Failure {
    Failure::untranslated(format!(
        "{what} object (/{name}; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid \
         group/version: autoscaling/v1"
    ))
}

/// Writes an object through its scale.
fn write_through(
    target: &Target<'_>,
    scales: &ResourceType,
    mut change: impl FnMut(&Writer<'_>, &Value) -> Result<Value, Failure>,
) -> ApiResult {
    let ty = target.ty;
    let pointers = pointers(ty).ok_or_else(Failure::no_such_resource)?;
    let writer = Writer::of_scale(target.manager, scales);
    let object_after = update::patch(target, Part::Main, |current| {
        let place = |version: &str| place_of_replicas(ty, version);
        let entries = ScaleEntries {
            parent: managed_fields::entries(current),
            version: ty.api_version(),
            place: &place,
        };
        let mut live = scale_of(ty, &pointers, current);
        managed_fields::set_entries(&mut live, entries.of_scale());
        let scale = change(&writer, &live)?;
        target.check_place(&scale)?;
        metadata::check_premise(ty, current, "", metadata::text(&scale, "uid"))?;
        check_replicas(target, &scale)?;
        let mut object = current.clone();
        object["metadata"]["resourceVersion"] = scale["metadata"]["resourceVersion"].clone();
        set(&mut object, &pointers.spec_replicas, scale["spec"]["replicas"].as_i64().unwrap_or(0).into());
        let managers = entries.of_parent(managed_fields::entries(&scale));
        Ok(Next { object, managers: Some(managers) })
    })?;
    Ok(json(StatusCode::OK, &read(ty, &object_after)?))
}

/// The place of `replicas` in a version.
fn place_of_replicas(ty: &ResourceType, version: &str) -> Place {
    let at = |path: &str| {
        Place::At(Path::of(&path.split('.').filter(|name| !name.is_empty()).collect::<Vec<_>>()))
    };
    let Some(custom) = &ty.custom else {
        return if version == ty.api_version() { at(".spec.replicas") } else { Place::NoVersion };
    };
    let name = version.strip_prefix(&ty.group).and_then(|rest| rest.strip_prefix('/'));
    let Some(definition) = name.and_then(|name| custom.versions.get(name)) else { return Place::NoVersion };
    definition["subresources"]["scale"]["specReplicasPath"].as_str().map_or(Place::NoScale, at)
}

enum ScaleChange {
    /// Only an object that exists makes a malformed patch fail.
    Patch(Result<Patch, Failure>),
    Update(Value),
}

fn check_replicas(target: &Target<'_>, scale: &Value) -> Result<(), Failure> {
    let replicas = &scale["spec"]["replicas"];
    if target.ty.custom.is_some() || replicas.as_i64().is_none_or(|replicas| replicas >= 0) {
        return Ok(());
    }
    let cause = Cause::invalid("spec.replicas", replicas, "must be greater than or equal to 0");
    Err(Failure::invalid("autoscaling", "Scale", target.name, &[cause]))
}

/// The validation error of `replicas` in an object of a custom type.
pub(crate) fn replicas_error(custom: &Custom, object: &Value) -> Option<Cause> {
    let path = custom.scale.as_ref()?["specReplicasPath"].as_str()?;
    let replicas = object.pointer(&pointer(path))?;
    if replicas.is_null() {
        let detail = format!("{path} accessor error: <nil> is of the type <nil>, expected int64");
        return Some(Cause::invalid(path, &0.into(), &detail));
    }
    let negative = replicas.as_i64().is_some_and(|number| number < 0);
    negative.then(|| Cause::invalid(path, replicas, "should be a non-negative integer"))
}

fn set(object: &mut Value, pointer: &str, value: Value) {
    let mut target = object;
    for name in pointer.split('/').skip(1) {
        if !(target.is_object() || target.is_null()) {
            return;
        }
        target = &mut target[name];
    }
    *target = value;
}

fn pointers(ty: &ResourceType) -> Option<Pointers> {
    let Some(custom) = &ty.custom else {
        return Some(Pointers {
            spec_replicas: "/spec/replicas".to_owned(),
            status_replicas: "/status/replicas".to_owned(),
            selector: None,
        });
    };
    let scale = custom.scale.as_ref()?;
    // A longer path would make an object too deep.
    let is_short = |path: &&str| path.split('.').count() <= depth::MOST;
    let pointer_to = |name: &str| scale[name].as_str().filter(is_short).map(pointer);
    Some(Pointers {
        spec_replicas: pointer_to("specReplicasPath")?,
        status_replicas: pointer_to("statusReplicasPath")?,
        selector: pointer_to("labelSelectorPath"),
    })
}

fn pointer(path: &str) -> String {
    path.replace('.', "/")
}

/// A label selector as a string.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_deeper_than_an_object_has_no_replicas() {
        let has_pointers = |names: usize| {
            let path = ".a".repeat(names);
            let scale = json!({ "specReplicasPath": path, "statusReplicasPath": path });
            let custom = Custom { scale: Some(scale), ..Custom::default() };
            pointers(&ResourceType { custom: Some(custom), ..ResourceType::default() }).is_some()
        };
        assert!(has_pointers(depth::MOST - 1));
        assert!(!has_pointers(depth::MOST));
    }
}
