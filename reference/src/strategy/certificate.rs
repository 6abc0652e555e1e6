//! Strategy of certificate signing requests: defaults, the approval, and validation.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::workload::default;
use crate::failure::Cause;
use crate::metadata::now;

/// The usages of a key.
const USAGES: [&str; 23] = [
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
];

/// The signer of the versions before v1.
const LEGACY: &str = "kubernetes.io/legacy-unknown";

/// The conditions that only the approval sets.
const DECISIONS: [&str; 2] = ["Approved", "Denied"];

/// Sets the defaults of a request.
pub(super) fn complete(request: &mut Value) {
    if request["status"].is_null() {
        request["status"] = json!({});
    }
}

/// A change of the approval: only its conditions remain, with the times of new ones.
pub(super) fn approve(current: &Value, request: &mut Value) {
    let mut conditions = request["status"]["conditions"].take();
    for condition in conditions.as_array_mut().into_iter().flatten() {
        default(condition, "lastUpdateTime", now().into());
        default(condition, "lastTransitionTime", now().into());
    }
    super::keep(current, request, "spec");
    super::keep(current, request, "status");
    request["status"]["conditions"] = conditions;
}

/// A change of the status keeps the decisions of the approval.
pub(super) fn keep_decisions(current: &Value, request: &mut Value) {
    let conditions = |request: &Value, decisions: bool| -> Vec<Value> {
        let all = request["status"]["conditions"].as_array().into_iter().flatten();
        let is_decision = |one: &&Value| DECISIONS.iter().any(|decision| one["type"] == *decision);
        all.filter(|one| is_decision(one) == decisions).cloned().collect()
    };
    let kept = [conditions(current, true), conditions(request, false)].concat();
    if !kept.is_empty() {
        request["status"]["conditions"] = kept.into();
    }
}

/// The validation errors of a request.
pub(super) fn validate(request: &Value) -> Vec<Cause> {
    let (spec, status) = (&request["spec"], &request["status"]);
    let mut causes = Vec::new();
    let labels = pem_labels(&spec["request"]);
    if labels.first().map(String::as_str) != Some("CERTIFICATE REQUEST") {
        let detail = "PEM block type must be CERTIFICATE REQUEST";
        causes.push(Cause::invalid("spec.request", &spec["request"], detail));
    }
    causes.extend(usage_errors(&spec["usages"]));
    match spec["signerName"].as_str().unwrap_or_default() {
        "" => causes.push(Cause::required("spec.signerName", "")),
        LEGACY => {
            let detail = "the legacy signerName is not allowed via this API version";
            causes.push(Cause::invalid("spec.signerName", &LEGACY.into(), detail));
        }
        _ => {}
    }
    causes.extend(condition_errors(&status["conditions"]));
    causes.extend(certificate_error(&status["certificate"]));
    causes
}

fn usage_errors(usages: &Value) -> Vec<Cause> {
    let usages = usages.as_array().map(Vec::as_slice).unwrap_or_default();
    if usages.is_empty() {
        return vec![Cause::required("spec.usages", "")];
    }
    let error = |(index, usage): (usize, &Value)| {
        let field = format!("spec.usages[{index}]");
        if !USAGES.iter().any(|known| usage == known) {
            return Some(Cause::not_supported(field, &usage.to_string(), &USAGES));
        }
        usages[..index].contains(usage).then(|| Cause::duplicate(&field, usage))
    };
    usages.iter().enumerate().filter_map(error).collect()
}

fn condition_errors(conditions: &Value) -> Vec<Cause> {
    let mut types = HashSet::new();
    let mut causes = Vec::new();
    for (index, condition) in conditions.as_array().into_iter().flatten().enumerate() {
        let at = |field: &str| format!("status.conditions[{index}].{field}");
        for field in ["type", "status"] {
            if condition[field].as_str().unwrap_or_default().is_empty() {
                causes.push(Cause::required(at(field), ""));
            }
        }
        if !types.insert(condition["type"].to_string()) {
            causes.push(Cause::duplicate(&at("type"), &condition["type"]));
        }
    }
    causes
}

fn certificate_error(certificate: &Value) -> Option<Cause> {
    if certificate.is_null() {
        return None;
    }
    let labels = pem_labels(certificate);
    let other = labels.iter().find(|label| *label != "CERTIFICATE");
    let detail = match other {
        Some(label) => format!("only CERTIFICATE PEM blocks are allowed, found {label:?}"),
        None if labels.is_empty() => "must contain at least one CERTIFICATE PEM block".to_owned(),
        None => return None,
    };
    Some(Cause::invalid("status.certificate", &"<certificate data>".into(), &detail))
}

/// The labels of the PEM blocks in base64.
fn pem_labels(encoded: &Value) -> Vec<String> {
    let bytes = STANDARD.decode(encoded.as_str().unwrap_or_default()).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    let label = |line: &str| line.strip_prefix("-----BEGIN ")?.strip_suffix("-----").map(str::to_owned);
    text.lines().filter_map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pem(label: &str) -> String {
        format!("-----BEGIN {label}-----\nAA==\n-----END {label}-----\n")
    }

    #[test]
    fn a_certificate_has_no_other_blocks() {
        let error = |text: &str| certificate_error(&STANDARD.encode(text).into()).is_some();
        assert!(!error(&pem("CERTIFICATE")) && certificate_error(&Value::Null).is_none());
        assert!(error("hello") && error(&format!("{}{}", pem("CERTIFICATE"), pem("PRIVATE KEY"))));
    }

    #[test]
    fn a_request_has_a_signer_and_usages() {
        let errors = |change: Value| -> Vec<String> {
            let mut request = json!({ "spec": {
                "request": STANDARD.encode(pem("CERTIFICATE REQUEST")), "signerName": "a.b/c", "usages": ["any"],
            } });
            json_patch::merge(&mut request, &change);
            validate(&request).iter().map(ToString::to_string).collect()
        };
        assert!(errors(json!({})).is_empty());
        assert_eq!(
            errors(json!({ "spec": { "usages": ["any", "any", "x"], "signerName": null } })),
            [
                "FieldValueDuplicate spec.usages[1]",
                "FieldValueNotSupported spec.usages[2]",
                "FieldValueRequired spec.signerName",
            ]
        );
        let conditions = json!({ "status": { "conditions": [{ "type": "Denied" }, { "type": "Denied", "status": "True" }] } });
        assert_eq!(
            errors(conditions),
            [
                "FieldValueRequired status.conditions[0].status",
                "FieldValueDuplicate status.conditions[1].type",
            ]
        );
    }

    #[test]
    fn the_approval_changes_conditions_alone() {
        let current = json!({ "spec": 1, "status": { "certificate": "a" } });
        let mut request =
            json!({ "spec": 2, "status": { "certificate": "b", "conditions": [{ "type": "Denied" }] } });
        approve(&current, &mut request);
        assert_eq!((&request["spec"], &request["status"]["certificate"]), (&json!(1), &json!("a")));
        assert_eq!(request["status"]["conditions"][0]["type"], "Denied");

        let mut status =
            json!({ "status": { "conditions": [{ "type": "Approved" }, { "type": "Failed" }] } });
        keep_decisions(&request, &mut status);
        let types: Vec<_> =
            status["status"]["conditions"].as_array().unwrap().iter().map(|one| &one["type"]).collect();
        assert_eq!(types, ["Denied", "Failed"]);
    }
}
