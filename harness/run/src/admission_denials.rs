//! Requests that a policy or a webhook of others denies: the server is right to refuse them.

use std::collections::BTreeSet;

use model::Request;
use serde_json::Value;

use crate::context::Context;
use crate::denial;
use crate::fixture::{is_foreign, path_of};
use crate::session::Session;

/// The texts before and behind the name of a policy in kube-apiserver's refusal. Its warning has the first one, too.
const BY_POLICY: (&str, &str) = ("ValidatingAdmissionPolicy '", denial::BY_POLICY);

/// The same of a policy that changes objects.
const BY_MUTATING_POLICY: (&str, &str) = ("policy '", denial::BY_POLICY);

/// The text before the name of a webhook, as it is in JSON.
const BY_WEBHOOK: (&str, &str) = ("admission webhook \\\"", "");

/// The same, where the webhook did not respond.
const WITHOUT_WEBHOOK: (&str, &str) = ("failed calling webhook \\\"", "");

/// The longest text between the two, in bytes: a refusal names the binding of the policy as well.
const BETWEEN: usize = 300;

const POLICIES: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    "/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies",
];

const MUTATING_POLICIES: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
    "/apis/admissionregistration.k8s.io/v1beta1/mutatingadmissionpolicies",
];

const WEBHOOKS: [&str; 2] = [
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
];

impl Context {
    /// What denied a request of the scenario, if it exists and is not the run's.
    pub(crate) async fn denial_by_others(&self) -> Option<String> {
        let session = self.session();
        for (words, kind, collections) in [
            (BY_POLICY, "ValidatingAdmissionPolicy", POLICIES),
            (BY_MUTATING_POLICY, "MutatingAdmissionPolicy", MUTATING_POLICIES),
        ] {
            for name in self.names_in(words) {
                if session.has_foreign_policy(collections, &name).await {
                    return Some(format!("the {kind} {name} denies a request of the run"));
                }
            }
        }
        for (words, what) in
            [(BY_WEBHOOK, "denies a request of the run"), (WITHOUT_WEBHOOK, "cannot be called")]
        {
            for name in self.names_in(words) {
                if session.has_foreign_webhook(&name).await {
                    return Some(format!("the admission webhook {name} {what}"));
                }
            }
        }
        None
    }

    fn names_in(&self, words: (&str, &str)) -> BTreeSet<String> {
        let responses = self.responses_with(words.0);
        responses.iter().flat_map(|response| named(words, response)).collect()
    }
}

impl Session {
    async fn has_foreign_policy(&self, collections: [&str; 2], name: &str) -> bool {
        for collection in collections {
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

/// The names that stand in a text between these words.
fn named((before, behind): (&str, &str), text: &str) -> BTreeSet<String> {
    let texts = text.split(before).skip(1).filter(|text| text.find(behind).is_some_and(|at| at < BETWEEN));
    texts.filter_map(|text| text.split(['\'', '\\', '"']).next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_found_in_refusals() {
        let named = |words, text| Vec::from_iter(named(words, text));
        let policy = r#"{"message":"x is forbidden: ValidatingAdmissionPolicy 'a.b' with binding 'c' denied request: no"}"#;
        assert_eq!(named(BY_POLICY, policy), ["a.b"]);
        let mutating = r#"{"message":"policy 'a.b' with binding 'c' denied request: error applying patch"}"#;
        assert_eq!(named(BY_MUTATING_POLICY, mutating), ["a.b"]);
        assert_eq!(named(BY_MUTATING_POLICY, policy), [""; 0]);
        let webhook = r#"{"message":"admission webhook \"d.e\" denied the request: no"}"#;
        assert_eq!(named(BY_WEBHOOK, webhook), ["d.e"]);
        let unreachable = r#"{"message":"failed calling webhook \"f.g\": failed to call webhook: Post"}"#;
        assert_eq!(named(WITHOUT_WEBHOOK, unreachable), ["f.g"]);
        assert_eq!(named(BY_WEBHOOK, policy), [""; 0]);
    }

    #[test]
    fn a_policy_that_warns_denies_nothing() {
        let warning =
            "warning: 299 - \"Validation failed for ValidatingAdmissionPolicy 'warns' with binding 'b': no\"";
        assert_eq!(named(BY_POLICY, warning), BTreeSet::new());
        let both =
            format!("{warning}\nValidatingAdmissionPolicy 'denies' with binding 'b' denied request: no");
        assert_eq!(Vec::from_iter(named(BY_POLICY, &both)), ["denies"]);
    }
}
