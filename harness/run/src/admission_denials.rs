//! Requests that a policy or a webhook of others denies: the server is right to refuse them.

use std::collections::BTreeSet;

use model::Request;
use serde_json::Value;

use crate::context::Context;
use crate::fixture::{is_foreign, path_of};
use crate::session::Session;

/// The text before the name of a policy in kube-apiserver's refusal.
const BY_POLICY: &str = "ValidatingAdmissionPolicy '";

/// The text before the name of a webhook, as it is in JSON.
const BY_WEBHOOK: &str = "admission webhook \\\"";

const POLICIES: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies",
];

const WEBHOOKS: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
];

impl Context {
    /// What denied a request of the scenario, if it exists and is not the run's.
    pub(crate) async fn denial_by_others(&self) -> Option<String> {
        let session = self.session();
        for name in self.names_behind(BY_POLICY) {
            if session.has_foreign_policy(&name).await {
                return Some(format!("the ValidatingAdmissionPolicy {name} denies a request of the run"));
            }
        }
        for name in self.names_behind(BY_WEBHOOK) {
            if session.has_foreign_webhook(&name).await {
                return Some(format!("the admission webhook {name} denies a request of the run"));
            }
        }
        None
    }

    fn names_behind(&self, words: &str) -> BTreeSet<String> {
        let responses = self.responses_with(words);
        responses.iter().filter_map(|response| named_behind(words, response)).map(str::to_owned).collect()
    }
}

impl Session {
    async fn has_foreign_policy(&self, name: &str) -> bool {
        for collection in POLICIES {
            let read = self.fixtures.send(Request::get(path_of(collection, name))).await.ok();
            let policy = read.as_ref().and_then(|read| read.json().filter(|_| read.succeeded()));
            if policy.is_some_and(is_foreign) {
                return true;
            }
        }
        false
    }

    async fn has_foreign_webhook(&self, name: &str) -> bool {
        for collection in WEBHOOKS {
            let list = self.fixtures.page(Request::get(collection)).await.unwrap_or_default();
            let mut items = list["items"].as_array().into_iter().flatten().filter(|item| is_foreign(item));
            let has_it = |item: &Value| {
                let mut webhooks = item["webhooks"].as_array().into_iter().flatten();
                webhooks.any(|webhook| webhook["name"] == name)
            };
            if items.any(has_it) {
                return true;
            }
        }
        false
    }
}

/// The name that stands in a text behind these words.
fn named_behind<'a>(words: &str, text: &'a str) -> Option<&'a str> {
    let (_, behind) = text.split_once(words)?;
    behind.split(['\'', '\\', '"']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_found_in_a_refusal() {
        let policy = r#"{"message":"x is forbidden: ValidatingAdmissionPolicy 'a.b' with binding 'c' denied request: no"}"#;
        assert_eq!(named_behind(BY_POLICY, policy), Some("a.b"));
        let webhook = r#"{"message":"admission webhook \"d.e\" denied the request: no"}"#;
        assert_eq!(named_behind(BY_WEBHOOK, webhook), Some("d.e"));
        assert_eq!(named_behind(BY_WEBHOOK, policy), None);
    }
}
