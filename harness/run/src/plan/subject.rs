//! Of what subjects scenarios are asked: those that the server has, or the one that the user named.

use std::collections::HashSet;
use std::sync::Arc;

use super::Selection;
use model::{ResourceUnderTest, Subject, SubjectSpec, TargetInfo};

use crate::scenario::Scenario;

/// The scenarios as they stand; or each once, on the subject that the user named, if it is one that can be asked of it.
pub(super) fn chosen(
    scenarios: Vec<Scenario>,
    given: Option<&SubjectSpec>,
    target_info: &TargetInfo,
) -> Vec<Scenario> {
    let Some(shape) = given.and_then(|given| shape(given, target_info)) else { return scenarios };
    let mut seen = HashSet::new();
    let first_of_each = scenarios.into_iter().filter(|one| seen.insert(one.id.clause().to_owned()));
    let on_it = |scenario: Scenario| match scenario.kinds.reason_against(&shape) {
        None => scenario.on(Subject::Given(shape.clone())),
        Some(_) => scenario.on(Subject::default()),
    };
    first_of_each.map(on_it).collect()
}

/// The type that the user named, if discovery lists it.
fn shape(given: &SubjectSpec, target_info: &TargetInfo) -> Option<Arc<ResourceUnderTest>> {
    let api_version = given.resource().api_version();
    target_info.type_of(&api_version, &given.plural).map(|found| Arc::new(given.shape(found)))
}

impl Selection {
    /// Why a scenario is not asked of what it would be asked of.
    pub(super) fn reason_against_subject(
        &self,
        scenario: &Scenario,
        target_info: &TargetInfo,
    ) -> Option<String> {
        if let Some(shape) = self.subject.as_ref().and_then(|given| shape(given, target_info)) {
            return scenario.kinds.reason_against(&shape);
        }
        let (api_version, plural) = match &scenario.subject {
            Subject::Deployment => ("apps/v1", "deployments"),
            Subject::ClusterScoped => ("rbac.authorization.k8s.io/v1", "clusterroles"),
            Subject::ConfigMap | Subject::CustomResource | Subject::Given(_) => return None,
        };
        let missing = target_info.type_of(api_version, plural).is_none();
        missing.then(|| format!("this server does not serve {plural} in {api_version}"))
    }

    /// A pattern for clauses: one for scenarios on the user's subject without what names it.
    pub(super) fn without_subject<'a>(&self, pattern: &'a str) -> &'a str {
        let Some(given) = &self.subject else { return pattern };
        let (group, plural) = (&given.group, &given.plural);
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

    async fn asks(_: Context) -> Checked {
        Ok(())
    }

    fn suite() -> Vec<Scenario> {
        let status = row("status", asks).with_status();
        let rows =
            vec![status, row("every", asks), row("list", asks).namespaced(), row("own", asks).own_kinds()];
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

    fn asked(selection: &Selection, target_info: &TargetInfo) -> Vec<(String, bool)> {
        let scenarios = chosen(suite(), selection.subject.as_ref(), target_info).into_iter();
        scenarios
            .map(|one| (one.id.to_string(), selection.reason_against_subject(&one, target_info).is_none()))
            .collect()
    }

    fn names(asked: &[(String, bool)]) -> Vec<&str> {
        asked.iter().filter(|(_, asked)| *asked).map(|(id, _)| id.as_str()).collect()
    }

    #[test]
    fn only_shapes_that_the_server_has_are_asked_of() {
        let all = asked(&Selection::default(), &target_info(&[("v1", "configmaps", true)]));
        assert_eq!(all.len(), 2 + 4 + 2 + 1);
        assert!(names(&all).iter().all(|id| !id.contains("deployment") && !id.contains("cluster-scoped")));
        let served = target_info(&[("apps/v1", "deployments", true)]);
        assert!(names(&asked(&Selection::default(), &served)).contains(&"every/deployment"));
    }

    #[test]
    fn generic_scenarios_are_asked_once_of_the_subject_that_was_named() {
        let subject = "example.com/v1/widgets".parse().ok();
        let selection = Selection { subject, ..Selection::default() };
        let all = asked(&selection, &target_info(&[("example.com/v1", "widgets", true)]));
        assert_eq!(names(&all), ["every/widgets.example.com", "list/widgets.example.com"]);
        assert_eq!(all.len(), 4);
        let all = asked(&selection, &target_info(&[("example.com/v1", "widgets", false)]));
        assert_eq!(names(&all), ["every/widgets.example.com"]);
    }

    #[test]
    fn a_scenario_on_the_subject_can_be_selected() {
        let subject = "example.com/v1/widgets".parse().ok();
        let selection = Selection { subject, ..Selection::default() };
        assert_eq!(selection.without_subject("every/widgets.example.com"), "every");
        assert_eq!(selection.without_subject("every"), "every");
    }
}
