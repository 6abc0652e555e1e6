//! Strategy of Ingresses: defaults and validation.

use serde_json::{Value, json};

use super::workload::default;
use crate::failure::Cause;

/// The types of paths.
const PATH_TYPES: [&str; 3] = ["Exact", "ImplementationSpecific", "Prefix"];

/// Sets the defaults of an Ingress.
pub(super) fn complete(ingress: &mut Value) {
    if ingress["status"].is_null() {
        ingress["status"] = json!({});
    }
    default(&mut ingress["status"], "loadBalancer", json!({}));
}

/// The validation errors of an Ingress.
pub(super) fn validate(ingress: &Value) -> Vec<Cause> {
    let spec = &ingress["spec"];
    let rules = spec["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut causes = Vec::new();
    if rules.is_empty() && !spec["defaultBackend"].is_object() {
        let detail = "either `defaultBackend` or `rules` must be specified";
        causes.push(Cause::invalid("spec", &Value::Null, detail));
    }
    if spec["defaultBackend"].is_object() {
        causes.extend(backend_error(&spec["defaultBackend"], "spec.defaultBackend"));
    }
    for (index, rule) in rules.iter().enumerate() {
        let paths = rule["http"]["paths"].as_array().into_iter().flatten().enumerate();
        for (number, path) in paths {
            let place = format!("spec.rules[{index}].http.paths[{number}]");
            causes.extend(path_error(path, &place));
            causes.extend(backend_error(&path["backend"], &format!("{place}.backend")));
        }
    }
    causes
}

fn path_error(path: &Value, place: &str) -> Option<Cause> {
    let field = format!("{place}.pathType");
    let Some(path_type) = path["pathType"].as_str() else {
        return Some(Cause::required(field, "pathType must be specified"));
    };
    if !PATH_TYPES.contains(&path_type) {
        return Some(Cause::not_supported(field, &path["pathType"].to_string(), &PATH_TYPES));
    }
    let absolute = path["path"].as_str().is_some_and(|path| path.starts_with('/'));
    let detail = "must be an absolute path";
    (path_type != "ImplementationSpecific" && !absolute).then(|| {
        Cause::invalid(format!("{place}.path"), &path["path"].as_str().unwrap_or_default().into(), detail)
    })
}

fn backend_error(backend: &Value, field: &str) -> Option<Cause> {
    let invalid = |detail: &str| Some(Cause::invalid(field, &"".into(), detail));
    match (backend["service"].is_object(), backend["resource"].is_object()) {
        (true, true) => return invalid("cannot set both resource and service backends"),
        (false, false) => return invalid("resource or service backend is required"),
        (false, true) => return None,
        (true, false) => {}
    }
    if backend["service"]["name"].as_str().unwrap_or_default().is_empty() {
        return Some(Cause::required(format!("{field}.service.name"), ""));
    }
    let port = &backend["service"]["port"];
    let named = !port["name"].as_str().unwrap_or_default().is_empty();
    match (named, port["number"].as_i64().unwrap_or(0) != 0) {
        (true, true) => invalid("cannot set both port name & port number"),
        (false, false) => Some(Cause::required(field, "port name or number is required")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_type_and_one_backend() {
        let errors = |path: Value| -> Vec<String> {
            let ingress = json!({ "spec": { "rules": [{ "http": { "paths": [path] } }] } });
            validate(&ingress).iter().map(ToString::to_string).collect()
        };
        let backend = json!({ "service": { "name": "s", "port": { "number": 80 } } });
        assert!(errors(json!({ "pathType": "ImplementationSpecific", "backend": backend })).is_empty());
        let place = "spec.rules[0].http.paths[0]";
        assert_eq!(
            errors(json!({ "pathType": "Prefix", "backend": backend })),
            [format!("FieldValueInvalid {place}.path")]
        );
        assert_eq!(
            errors(json!({ "path": "/", "backend": { "service": { "name": "s", "port": {} } } })),
            [format!("FieldValueRequired {place}.pathType"), format!("FieldValueRequired {place}.backend")]
        );
        assert_eq!(validate(&json!({ "spec": {} }))[0].to_string(), "FieldValueInvalid spec");
    }
}
