//! Strategy of configurations of admission webhooks: defaults and validation.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::workload::default;
use crate::failure::Cause;

/// The side effects that a webhook may have.
const EFFECTS: [&str; 2] = ["None", "NoneOnDryRun"];

/// The versions of `AdmissionReview` that the server sends.
const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

/// Sets the defaults of a configuration.
pub(super) fn complete(configuration: &mut Value) {
    let mutates = configuration["kind"] == "MutatingWebhookConfiguration";
    let webhooks = configuration.get_mut("webhooks").and_then(Value::as_array_mut);
    for webhook in webhooks.into_iter().flatten() {
        default(webhook, "failurePolicy", json!("Fail"));
        default(webhook, "matchPolicy", json!("Equivalent"));
        default(webhook, "namespaceSelector", json!({}));
        default(webhook, "objectSelector", json!({}));
        default(webhook, "timeoutSeconds", json!(10));
        if mutates {
            default(webhook, "reinvocationPolicy", json!("Never"));
        }
        let rules = webhook.get_mut("rules").and_then(Value::as_array_mut);
        rules.into_iter().flatten().for_each(|rule| default(rule, "scope", json!("*")));
        if let Some(service) =
            webhook["clientConfig"].get_mut("service").filter(|service| service.is_object())
        {
            default(service, "port", json!(443));
        }
    }
}

/// The validation errors of a configuration.
pub(super) fn validate(configuration: &Value) -> Vec<Cause> {
    let webhooks = configuration["webhooks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut causes = Vec::new();
    let mut names = HashSet::new();
    for (index, webhook) in webhooks.iter().enumerate() {
        let path = format!("webhooks[{index}]");
        causes.extend(review_error(&webhook["admissionReviewVersions"], &path));
        if !names.insert(&webhook["name"]) {
            causes.push(Cause::duplicate(&format!("{path}.name"), &webhook["name"]));
        }
        causes.extend(effect_error(&webhook["sideEffects"], &format!("{path}.sideEffects")));
        let timeout = &webhook["timeoutSeconds"];
        if timeout.as_i64().is_some_and(|seconds| !(1..=30).contains(&seconds)) {
            let detail = "the timeout value must be between 1 and 30 seconds";
            causes.push(Cause::invalid(format!("{path}.timeoutSeconds"), timeout, detail));
        }
    }
    causes
}

fn review_error(versions: &Value, path: &str) -> Option<Cause> {
    let field = format!("{path}.admissionReviewVersions");
    let known = REVIEWS.join(", ");
    match versions.as_array().map(Vec::as_slice).unwrap_or_default() {
        [] => Some(Cause::required(field, &format!("must specify one of {known}"))),
        all if all.iter().any(|version| REVIEWS.iter().any(|known| version == known)) => None,
        _ => Some(Cause::invalid(field, versions, &format!("must include at least one of {known}"))),
    }
}

fn effect_error(effects: &Value, field: &str) -> Option<Cause> {
    let Some(named) = effects.as_str() else {
        return Some(Cause::required(field, &format!("must specify one of {}", EFFECTS.join(", "))));
    };
    (!EFFECTS.contains(&named)).then(|| Cause::not_supported(field, &effects.to_string(), &EFFECTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(webhooks: &Value) -> Vec<String> {
        validate(&json!({ "webhooks": webhooks })).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_webhook_needs_effects_and_a_known_version_of_reviews() {
        let valid =
            json!({ "name": "a.b.c", "sideEffects": "None", "admissionReviewVersions": ["v9", "v1"] });
        assert!(errors(&json!([valid])).is_empty());
        assert_eq!(errors(&json!([valid, valid])), ["FieldValueDuplicate webhooks[1].name"]);
        assert_eq!(
            errors(&json!([{ "timeoutSeconds": 31 }])),
            [
                "FieldValueRequired webhooks[0].admissionReviewVersions",
                "FieldValueRequired webhooks[0].sideEffects",
                "FieldValueInvalid webhooks[0].timeoutSeconds",
            ]
        );
        let wrong = json!([{ "sideEffects": "Some", "admissionReviewVersions": ["v9"] }]);
        assert_eq!(
            errors(&wrong),
            [
                "FieldValueInvalid webhooks[0].admissionReviewVersions",
                "FieldValueNotSupported webhooks[0].sideEffects",
            ]
        );
    }
}
