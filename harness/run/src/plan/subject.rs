//! The subjects that scenarios run on: those that the server has, or the one that the user named.

use std::collections::HashSet;
use std::sync::Arc;

use super::Selection;
use model::{ResourceUnderTest, Subject, SubjectSpec, TargetInfo};

use crate::scenario::Scenario;

/// The scenarios as they are; or each once, on the subject that the user named, if it applies to that subject.
pub(super) fn on_subjects(
    scenarios: Vec<Scenario>,
    spec: Option<&SubjectSpec>,
    target_info: &TargetInfo,
) -> Vec<Scenario> {
    let Some(resource) = spec.and_then(|spec| discover(spec, target_info)) else { return scenarios };
    let mut seen = HashSet::new();
    let first_of_each = scenarios.into_iter().filter(|one| seen.insert(one.id.clause().to_owned()));
    let on_it = |scenario: Scenario| match scenario.kinds.reason_against(&resource) {
        None => scenario.on(Subject::Named(resource.clone())),
        Some(_) => scenario.on(Subject::default()),
    };
    first_of_each.map(on_it).collect()
}

/// The type that the user named, if discovery lists it.
fn discover(spec: &SubjectSpec, target_info: &TargetInfo) -> Option<Arc<ResourceUnderTest>> {
    let api_version = spec.resource().api_version();
    target_info.type_of(&api_version, &spec.plural).map(|found| Arc::new(spec.resource_under_test(found)))
}

impl Selection {
    /// Why a scenario cannot run on its subject.
    pub(super) fn reason_against_subject(
        &self,
        scenario: &Scenario,
        target_info: &TargetInfo,
    ) -> Option<String> {
        if let Some(resource) = self.subject.as_ref().and_then(|spec| discover(spec, target_info)) {
            return scenario.kinds.reason_against(&resource);
        }
        let (api_version, plural) = match &scenario.subject {
            Subject::Deployment => ("apps/v1", "deployments"),
            Subject::ClusterScoped => ("rbac.authorization.k8s.io/v1", "clusterroles"),
            Subject::ConfigMap | Subject::CustomResource | Subject::Named(_) => return None,
        };
        let missing = target_info.type_of(api_version, plural).is_none();
        missing.then(|| format!("this server does not serve {plural} in {api_version}"))
    }

    /// A pattern without the suffix for the user's subject, as a pattern for clauses.
    pub(super) fn without_subject<'a>(&self, pattern: &'a str) -> &'a str {
        let Some(spec) = &self.subject else { return pattern };
        let (group, plural) = (&spec.group, &spec.plural);
        let variant = if group.is_empty() { format!("/{plural}") } else { format!("/{plural}.{group}") };
        pattern.strip_suffix(variant.as_str()).unwrap_or(pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::row::row;
    use crate::suite::Suite;
    use model::{Checked, Type};

    async fn pass(_: Context) -> Checked {
        Ok(())
    }

    fn suite() -> Vec<Scenario> {
        let status = row("status", pass).with_status();
        let rows = vec![
            status,
            row("every", pass),
            row("list", pass).namespaced(),
            row("role", pass).cluster_scoped(),
            row("own", pass).own_kinds(),
        ];
        Suite::new("own", [rows]).scenarios
    }

    fn target_info(types: &[(&str, &str, bool)]) -> TargetInfo {
        let types = types.iter().map(|(api_version, plural, namespaced)| Type {
            api_version: (*api_version).to_owned(),
            plural: (*plural).to_owned(),
            namespaced: *namespaced,
            ..Type::default()
        });
        TargetInfo { types: types.collect(), ..TargetInfo::default() }
    }

    fn planned(selection: &Selection, target_info: &TargetInfo) -> Vec<(String, bool)> {
        let scenarios = on_subjects(suite(), selection.subject.as_ref(), target_info).into_iter();
        scenarios
            .map(|one| (one.id.to_string(), selection.reason_against_subject(&one, target_info).is_none()))
            .collect()
    }

    fn running(runs: &[(String, bool)]) -> Vec<&str> {
        runs.iter().filter(|(_, runs)| *runs).map(|(id, _)| id.as_str()).collect()
    }

    #[test]
    fn scenarios_run_only_on_subjects_that_the_server_has() {
        let all = planned(&Selection::default(), &target_info(&[("v1", "configmaps", true)]));
        assert_eq!(all.len(), 2 + 4 + 2 + 1 + 1);
        assert!(running(&all).iter().all(|id| !id.contains("deployment") && !id.contains("cluster-scoped")));
        let served = target_info(&[("apps/v1", "deployments", true)]);
        assert!(running(&planned(&Selection::default(), &served)).contains(&"every/deployment"));
    }

    #[test]
    fn generic_scenarios_run_once_on_the_named_subject() {
        let subject = "example.com/v1/widgets".parse().ok();
        let selection = Selection { subject, ..Selection::default() };
        let all = planned(&selection, &target_info(&[("example.com/v1", "widgets", true)]));
        assert_eq!(running(&all), ["every/widgets.example.com", "list/widgets.example.com"]);
        assert_eq!(all.len(), 5);
        let all = planned(&selection, &target_info(&[("example.com/v1", "widgets", false)]));
        assert_eq!(running(&all), ["every/widgets.example.com", "role/widgets.example.com"]);
    }

    #[test]
    fn a_scenario_on_the_subject_can_be_selected() {
        let subject = "example.com/v1/widgets".parse().ok();
        let selection = Selection { subject, ..Selection::default() };
        assert_eq!(selection.without_subject("every/widgets.example.com"), "every");
        assert_eq!(selection.without_subject("every"), "every");
    }
}
