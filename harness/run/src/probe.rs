//! Probe results: the capabilities that the server lacks, and the clauses that show it.
//!
//! Probes are scenarios that run before the others. The run skips a scenario that sends a request for a missing
//! capability: its clause is not about that capability, and the clause of the probe has failed already.

use std::sync::{PoisonError, RwLock};

use model::{ApiPath, GROUP, Outcome, Request, Resource, ResourceUnderTest, Subject};

use crate::capability::Capability;

/// The result of one probe for one capability.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    capability: Capability,
    /// The probed resource: group, version and plural, or [`GROUP`] for custom resources of the run.
    resource: String,
    clause: String,
    offered: bool,
}

/// The results of the probes of a run so far.
#[derive(Debug, Default)]
pub(crate) struct Findings(RwLock<Vec<Finding>>);

impl Finding {
    /// The results of a scenario for the capabilities that it probes; empty after a test error or a skip.
    pub(crate) fn of(probes: &[Capability], subject: &Subject, clause: &str, outcome: &Outcome) -> Vec<Self> {
        let offered = match outcome {
            Outcome::Passed => true,
            Outcome::Failed { .. } => false,
            Outcome::Errored { .. } | Outcome::Skipped { .. } => return Vec::new(),
        };
        let resource = probed_resource(subject);
        let finding = |capability: &Capability| Self {
            capability: *capability,
            resource: resource.clone(),
            clause: clause.to_owned(),
            offered,
        };
        probes.iter().map(finding).collect()
    }
}

impl Findings {
    /// Adds the results of a probe.
    pub(crate) fn add(&self, findings: Vec<Finding>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).extend(findings);
    }

    /// Why a scenario does not send a request: the clause that shows that the server lacks a capability for it.
    pub(crate) fn reason_against(&self, request: &Request) -> Option<String> {
        let findings = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if findings.iter().all(|finding| finding.offered) {
            return None;
        }
        let resource = ApiPath::read(&request.path).map(|path| resource_of(&path.collection()).to_owned())?;
        let lacks = |capability| lacks(&findings, capability, &resource);
        let clause = Capability::used_by(request).into_iter().find_map(lacks)?;
        Some(format!("blocked by {clause}"))
    }
}

/// The clause that shows that a resource lacks a capability. Without a probe on it, those on all others count.
fn lacks<'a>(findings: &'a [Finding], capability: Capability, resource: &str) -> Option<&'a str> {
    let all: Vec<&Finding> = findings.iter().filter(|finding| finding.capability == capability).collect();
    let here: Vec<&Finding> = all.iter().copied().filter(|finding| finding.resource == resource).collect();
    let decisive = if here.is_empty() { all } else { here };
    if decisive.iter().any(|finding| finding.offered) {
        return None;
    }
    decisive.first().map(|finding| finding.clause.as_str())
}

/// The probed resource of a collection: all custom resources of the run count as one.
fn resource_of(collection: &str) -> &str {
    let group = collection.split('/').next().unwrap_or_default();
    if group.ends_with(GROUP) { GROUP } else { collection }
}

fn probed_resource(subject: &Subject) -> String {
    match subject {
        Subject::ConfigMap => Resource::configmaps().collection(),
        Subject::Deployment => ResourceUnderTest::deployments().resource.collection(),
        Subject::ClusterScoped => ResourceUnderTest::cluster_roles().resource.collection(),
        Subject::CustomResource => GROUP.to_owned(),
        Subject::Named(subject) => subject.resource.collection(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::capability::{PatchType, Verb};
    use crate::row::row;
    use crate::scenario::Scenario;
    use crate::suite::Suite;
    use model::{Failure, TestError};

    const WATCH: Capability = Capability::Verb(Verb::Watch);

    fn failed() -> Outcome {
        Outcome::Failed {
            failure: Failure { expected: String::new(), actual: String::new(), exchange: None },
        }
    }

    fn probe(capability: Capability, subject: Subject) -> Scenario {
        let suite = Suite::new("own", [vec![row("a-clause", |_| async { Ok(()) })]]);
        let scenario = suite.scenarios.into_iter().next().unwrap();
        Scenario { probes: vec![capability], ..scenario }.on(subject)
    }

    fn found(outcomes: &[(Scenario, Outcome)]) -> Findings {
        let findings = Findings::default();
        for (scenario, outcome) in outcomes {
            let Scenario { probes, subject, id, .. } = scenario;
            findings.add(Finding::of(probes, subject, id.clause(), outcome));
        }
        findings
    }

    fn watch(path: &str) -> Request {
        Request::get(path).query("watch", 1)
    }

    const CONFIG_MAPS: &str = "/api/v1/namespaces/n/configmaps";
    const CUSTOM: &str = "/apis/abc.kube-assay.dev/v1/namespaces/n/gizmos";

    #[test]
    fn a_missing_capability_blocks_its_requests_on_that_resource() {
        let found = found(&[
            (probe(WATCH, Subject::ConfigMap), failed()),
            (probe(WATCH, Subject::CustomResource), Outcome::Passed),
        ]);
        let reason = Some("blocked by a-clause".to_owned());
        assert_eq!(found.reason_against(&watch(CONFIG_MAPS)), reason);
        assert_eq!(found.reason_against(&Request::get(CONFIG_MAPS)), None);
        assert_eq!(found.reason_against(&watch(CUSTOM)), None);
        assert_eq!(found.reason_against(&watch("/api/v1/pods")), None);
    }

    #[test]
    fn a_capability_that_every_probed_resource_lacks_is_missing_everywhere() {
        let found = found(&[
            (probe(WATCH, Subject::ConfigMap), failed()),
            (probe(WATCH, Subject::CustomResource), failed()),
        ]);
        assert!(found.reason_against(&watch("/api/v1/pods")).is_some());
        assert!(found.reason_against(&watch(CUSTOM)).is_some());
        assert!(found.reason_against(&watch("/livez")).is_none());
    }

    #[test]
    fn only_a_failure_shows_that_a_capability_is_missing() {
        let skipped = Outcome::Skipped { reason: "not here".to_owned() };
        let errored = Outcome::Errored { test_error: TestError::new("create a", "403") };
        for outcome in [Outcome::Passed, skipped, errored] {
            let found = found(&[(probe(WATCH, Subject::ConfigMap), outcome)]);
            assert_eq!(found.reason_against(&watch(CONFIG_MAPS)), None);
        }
    }

    #[test]
    fn one_passing_repetition_shows_that_the_capability_exists() {
        let found = found(&[
            (probe(WATCH, Subject::ConfigMap), failed()),
            (probe(WATCH, Subject::ConfigMap), Outcome::Passed),
        ]);
        assert_eq!(found.reason_against(&watch(CONFIG_MAPS)), None);
    }

    #[test]
    fn a_patch_type_is_missing_on_the_named_subject() {
        let subject = Arc::new(ResourceUnderTest::of(Resource::of("example.com", "v1", "widgets", "Widget")));
        let merge = Capability::Patch(PatchType::Merge);
        let found = found(&[(probe(merge, Subject::Named(subject)), failed())]);
        let patch = Request::merge_patch("/apis/example.com/v1/namespaces/n/widgets/a", &json!({}));
        assert!(found.reason_against(&patch).is_some());
        let json = patch.header("content-type", "application/json-patch+json");
        assert_eq!(found.reason_against(&json), None);
    }
}
