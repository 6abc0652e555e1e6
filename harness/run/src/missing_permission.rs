//! Permissions that the user of the run lacks: the server is right to forbid what needs them.

use std::collections::BTreeSet;

use model::Request;
use serde_json::{Value, json};

use crate::context::Context;
use crate::session::Session;

const REVIEWS: &str = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

/// The words of kube-apiserver about a policy with parameters that the user may not read.
const PARAMETERS: [&str; 2] = ["must have \\\"get\\\" permission", "does not have \\\"get\\\" permission"];

/// The maximum number of permissions of a scenario about which the server is asked.
const MOST_REVIEWS: usize = 5;

/// What a server forbids, in the words of kube-apiserver: `cannot get resource "pods/log" in API group "" in the namespace "a"`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Forbidden<'a> {
    verb: &'a str,
    resource: &'a str,
    group: &'a str,
    /// `None` for all namespaces, or none.
    namespace: Option<&'a str>,
}

impl Context {
    /// A permission that a request of the scenario needs and the user lacks, by the server's own review.
    pub(crate) async fn missing_permission(&self) -> Option<String> {
        for words in PARAMETERS {
            if !self.responses_with(words).is_empty() {
                return Some("the user may not get what the parameters of a policy refer to".to_owned());
            }
        }
        let responses = self.responses_with(" cannot ");
        let forbidden: BTreeSet<Forbidden<'_>> =
            responses.iter().filter_map(|response| Forbidden::read(response)).collect();
        for forbidden in forbidden.into_iter().take(MOST_REVIEWS) {
            if self.session().lacks(&forbidden).await {
                let Forbidden { verb, resource, group, .. } = forbidden;
                return Some(format!("the user may not {verb} {resource} of the API group {group:?}"));
            }
        }
        None
    }
}

impl Session {
    async fn lacks(&self, forbidden: &Forbidden<'_>) -> bool {
        let review = Request::post(REVIEWS, &forbidden.review());
        let reviewed = self.fixtures.send(review).await.ok();
        let status = |reviewed: &Value| reviewed["status"]["allowed"] == false;
        reviewed.is_some_and(|reviewed| reviewed.status() == 201 && reviewed.json().is_some_and(status))
    }
}

impl<'a> Forbidden<'a> {
    fn read(response: &'a str) -> Option<Self> {
        let (_, rest) = response.split_once(" cannot ")?;
        let (verb, rest) = rest.split_once(" resource \\\"")?;
        let (resource, rest) = rest.split_once("\\\" in API group \\\"")?;
        let (group, rest) = rest.split_once("\\\"")?;
        let namespace = rest.strip_prefix(" in the namespace \\\"").and_then(|rest| rest.split_once("\\\""));
        Some(Self { verb, resource, group, namespace: namespace.map(|(namespace, _)| namespace) })
    }

    fn review(&self) -> Value {
        let (resource, subresource) = self.resource.split_once('/').unwrap_or((self.resource, ""));
        json!({
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": { "resourceAttributes": {
                "verb": self.verb,
                "resource": resource,
                "subresource": subresource,
                "group": self.group,
                "namespace": self.namespace.unwrap_or_default(),
            } },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_missing_permission() {
        let namespaced = r#"{"message":"pods \"b\" is forbidden: User \"jane\" cannot get resource \"pods/log\" in API group \"\" in the namespace \"n\"","code":403}"#;
        let read = Forbidden::read(namespaced).unwrap();
        assert_eq!(read, Forbidden { verb: "get", resource: "pods/log", group: "", namespace: Some("n") });
        let attributes = json!({
            "verb": "get", "resource": "pods", "subresource": "log", "group": "", "namespace": "n",
        });
        assert_eq!(read.review()["spec"]["resourceAttributes"], attributes);

        let cluster_scoped =
            r#"User \"jane\" cannot list resource \"crds\" in API group \"x.io\" at the cluster scope"}"#;
        let expected = Forbidden { verb: "list", resource: "crds", group: "x.io", namespace: None };
        assert_eq!(Forbidden::read(cluster_scoped), Some(expected));
        assert_eq!(Forbidden::read("you cannot do this"), None);
    }
}
