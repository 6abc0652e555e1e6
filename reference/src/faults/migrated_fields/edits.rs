//! Changes of requests and responses by a server with old fields.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

/// The object at a pointer.
fn fields<'a>(object: &'a mut Value, pointer: &str) -> Option<&'a mut Map<String, Value>> {
    object.pointer_mut(pointer)?.as_object_mut()
}

/// Sets an absent field of an existing object.
pub(super) fn fill(object: &mut Value, pointer: &str, value: &Value) {
    let (parent, field) = pointer.rsplit_once('/').unwrap_or_default();
    if let Some(fields) = fields(object, parent) {
        fields.entry(field).or_insert_with(|| value.clone());
    }
}

/// Gives a field another name.
pub(super) fn rename(object: &mut Value, parent: &str, old: &str, new: &str) {
    if let Some(fields) = fields(object, parent)
        && let Some(value) = fields.shift_remove(old)
    {
        fields.insert(new.to_owned(), value);
    }
}

/// Replaces a value that is none of these.
pub(super) fn replace(object: &mut Value, pointer: &str, values: &[&str]) {
    if let Some(value) =
        object.pointer_mut(pointer).filter(|value| !values.iter().any(|known| *value == known))
    {
        *value = values.first().copied().into();
    }
}

/// Removes a field with this value.
pub(super) fn remove(object: &mut Value, pointer: &str, value: &Value) {
    let (parent, field) = pointer.rsplit_once('/').unwrap_or_default();
    if let Some(fields) = fields(object, parent).filter(|fields| fields.get(field) == Some(value)) {
        fields.shift_remove(field);
    }
}

/// The labels of the template select the Pods by default.
pub(super) fn fill_selector(object: &mut Value) {
    let labels = object["spec"]["template"]["metadata"]["labels"].clone();
    fill(object, "/spec/selector", &json!({ "matchLabels": labels }));
}

pub(super) fn replace_zero_shares(level: &mut Value) {
    let shares = level.pointer_mut("/spec/limited/nominalConcurrencyShares");
    if let Some(shares) = shares.filter(|shares| **shares == 0) {
        *shares = 30.into();
    }
}

/// The same object in v1, with the shares under their old name.
pub(super) fn convert_v1beta3(level: &mut Value) {
    rename(level, "/spec/limited", "assuredConcurrencyShares", "nominalConcurrencyShares");
    level["apiVersion"] = "flowcontrol.apiserver.k8s.io/v1".into();
}

pub(super) fn extend_series(event: &mut Value) {
    if let Some(count) = event.pointer_mut("/series/count").filter(|count| **count == 1) {
        *count = 2.into();
    }
}

pub(super) fn copy_reporter(event: &mut Value) {
    event["source"]["component"] = event["reportingComponent"].clone();
}

/// Selects no Pod.
fn no_pod() -> Value {
    json!({ "matchLabels": { "kube-assay.dev/none": "none" } })
}

pub(super) fn select_nothing(budget: &mut Value) {
    if let Some(selector) = budget.pointer_mut("/spec/selector").filter(|selector| **selector == json!({})) {
        *selector = no_pod();
    }
}

pub(super) fn show_empty_selector(budget: &mut Value) {
    if let Some(selector) = budget.pointer_mut("/spec/selector").filter(|selector| **selector == no_pod()) {
        *selector = json!({});
    }
}

pub(super) fn select_all(budget: &mut Value) {
    if budget["spec"]["selector"].is_null() {
        budget["spec"]["selector"] = json!({});
    }
}

/// The field `admissionReviewVersions` of the first webhook, if there is one.
fn reviews(configuration: &mut Value) -> Option<&mut Value> {
    configuration.pointer_mut("/webhooks/0").map(|webhook| &mut webhook["admissionReviewVersions"])
}

pub(super) fn fill_review_versions(configuration: &mut Value) {
    let reviews = reviews(configuration);
    if let Some(reviews) = reviews.filter(|reviews| reviews.as_array().is_none_or(Vec::is_empty)) {
        *reviews = json!(["v1beta1"]);
    }
}

pub(super) fn add_known_review(configuration: &mut Value) {
    if let Some(reviews) = reviews(configuration).filter(|reviews| **reviews == json!(["v9"])) {
        *reviews = json!(["v9", "v1"]);
    }
}

pub(super) fn rename_second_webhook(configuration: &mut Value) {
    if let Some(name) = configuration.pointer_mut("/webhooks/1/name") {
        *name = "second.kube-assay.dev".into();
    }
}

pub(super) fn create_version(crd: &mut Value) {
    let Some(name) = fields(crd, "/spec").and_then(|spec| spec.shift_remove("version")) else { return };
    let schema = json!({ "openAPIV3Schema": { "type": "object" } });
    let version = json!({ "name": name, "served": true, "storage": true, "schema": schema });
    fill(crd, "/spec/versions", &json!([version]));
}

pub(super) fn apply_validation(crd: &mut Value) {
    let Some(schema) = fields(crd, "/spec").and_then(|spec| spec.shift_remove("validation")) else { return };
    crd["spec"]["versions"][0]["schema"] = schema;
}

/// The versions have the field of the definition as well.
pub(super) fn copy_to_versions(crd: &mut Value, field: &str) {
    let value = crd["spec"][field].clone();
    if !value.is_null() {
        crd["spec"]["versions"][0][field] = value;
    }
}

pub(super) fn move_client(crd: &mut Value) {
    let Some(conversion) = fields(crd, "/spec/conversion") else { return };
    if let Some(client) = conversion.shift_remove("webhookClientConfig") {
        let versions = conversion.shift_remove("conversionReviewVersions");
        let webhook = json!({ "clientConfig": client, "conversionReviewVersions": versions });
        conversion.insert("webhook".to_owned(), webhook);
    }
}

/// The root is an object, and the scenario's field is a string.
pub(super) fn add_types(crd: &mut Value) {
    fill(crd, "/spec/versions/0/schema/openAPIV3Schema/type", &"object".into());
    fill(crd, "/spec/versions/0/schema/openAPIV3Schema/properties/a/type", &"string".into());
}

pub(super) fn fill_usages(csr: &mut Value) {
    if csr["spec"]["usages"].as_array().is_none_or(Vec::is_empty) {
        csr["spec"]["usages"] = json!(["digital signature", "key encipherment"]);
    }
}

pub(super) fn remove_duplicates(object: &mut Value, pointer: &str) {
    if let Some(list) = object.pointer_mut(pointer).and_then(Value::as_array_mut) {
        list.dedup();
    }
}

/// Removes a certificate with this text.
pub(super) fn hide_certificate(csr: &mut Value, is_hidden: fn(&str) -> bool) {
    let bytes = STANDARD.decode(csr["status"]["certificate"].as_str().unwrap_or_default());
    if is_hidden(&String::from_utf8_lossy(&bytes.unwrap_or_default())) {
        csr["status"]["certificate"] = Value::Null;
    }
}

/// The backend of the scenario's path.
const BACKEND: &str = "/spec/rules/0/http/paths/0/backend";
const PORT: &str = "/spec/rules/0/http/paths/0/backend/service/port";

pub(super) fn convert_backend(ingress: &mut Value) {
    let Some(backend) = fields(ingress, BACKEND) else { return };
    if let (Some(name), Some(port)) =
        (backend.shift_remove("serviceName"), backend.shift_remove("servicePort"))
    {
        backend.insert("service".to_owned(), json!({ "name": name, "port": { "number": port } }));
    }
}

pub(super) fn parse_port(ingress: &mut Value) {
    let number = ingress.pointer_mut(PORT).map(|port| &mut port["number"]);
    if let Some((number, parsed)) = number.and_then(|number| {
        let parsed: i64 = number.as_str()?.parse().ok()?;
        Some((number, parsed))
    }) {
        *number = parsed.into();
    }
}

pub(super) fn choose_port_name(ingress: &mut Value) {
    if let Some(port) = fields(ingress, PORT).filter(|port| port.contains_key("name")) {
        port.shift_remove("number");
    }
}

/// A path of another type is invalid without a path.
pub(super) fn require_path(ingress: &mut Value) {
    if let Some(path) =
        ingress.pointer_mut("/spec/rules/0/http/paths/0").filter(|path| path["path"].is_null())
    {
        path["pathType"] = "Prefix".into();
    }
}
