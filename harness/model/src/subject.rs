//! Subjects of scenarios: the kinds of resources, and which of them a scenario applies to.

use std::sync::Arc;

use crate::resource_under_test::ResourceUnderTest;

/// The suffix of the groups of the run's custom resources.
pub const GROUP: &str = ".kube-assay.dev";

/// The resource under test of a scenario, by choice.
#[derive(Debug, Clone, Default)]
pub enum Subject {
    /// A built-in namespaced type: the default.
    #[default]
    ConfigMap,
    /// A built-in type with spec, status and scale.
    Deployment,
    /// A built-in type without namespaces.
    ClusterScoped,
    /// A custom resource, defined for this run.
    CustomResource,
    /// The type that the user names.
    Named(Arc<ResourceUnderTest>),
}

impl Subject {
    /// The variant in a scenario's id; `None` for the default.
    pub fn variant(&self) -> Option<String> {
        match self {
            Self::ConfigMap => None,
            Self::Deployment => Some("deployment".to_owned()),
            Self::ClusterScoped => Some("cluster-scoped".to_owned()),
            Self::CustomResource => Some("custom-resource".to_owned()),
            Self::Named(resource) => Some(resource.group_resource()),
        }
    }

    /// Whether generic scenarios run on this type without `--subject`, such as `deployments.apps`, or it is a custom
    /// resource of the run.
    pub fn is_usual(group_resource: &str) -> bool {
        let built_in = ["configmaps", "deployments.apps", "clusterroles.rbac.authorization.k8s.io"];
        built_in.contains(&group_resource) || group_resource.ends_with(GROUP)
    }
}

/// The subjects that a scenario applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kinds {
    /// The types that it names itself.
    #[default]
    Own,
    /// Every namespaced type: the scenario tests a whole collection.
    Namespaced,
    /// Every type.
    All,
    /// Every type with a status subresource.
    WithStatus,
    /// Every type without namespaces.
    ClusterScoped,
}

impl Kinds {
    /// The subjects without `--subject`.
    pub fn subjects(self) -> &'static [Subject] {
        static OWN: [Subject; 1] = [Subject::ConfigMap];
        static NAMESPACED: [Subject; 2] = [Subject::ConfigMap, Subject::CustomResource];
        static ALL: [Subject; 4] =
            [Subject::ConfigMap, Subject::Deployment, Subject::ClusterScoped, Subject::CustomResource];
        static WITH_STATUS: [Subject; 2] = [Subject::Deployment, Subject::CustomResource];
        static CLUSTER_SCOPED: [Subject; 1] = [Subject::ClusterScoped];
        match self {
            Self::Own => &OWN,
            Self::Namespaced => &NAMESPACED,
            Self::All => &ALL,
            Self::WithStatus => &WITH_STATUS,
            Self::ClusterScoped => &CLUSTER_SCOPED,
        }
    }

    /// Why a scenario cannot run on a type; `None` if it can.
    pub fn reason_against(self, resource: &ResourceUnderTest) -> Option<String> {
        let plural = &resource.resource.plural;
        match self {
            Self::Own => Some("the scenario tests types of its own, and --subject is set".to_owned()),
            Self::Namespaced if !resource.namespaced => Some(format!("{plural} are not namespaced")),
            Self::ClusterScoped if resource.namespaced => Some(format!("{plural} are namespaced")),
            Self::WithStatus if !resource.status => Some(format!("{plural} have no status subresource")),
            Self::WithStatus if resource.status_at().is_none() || !resource.value_in_spec() => {
                Some(format!("the template of {plural} marks no field of both spec and status with $VALUE"))
            }
            Self::Namespaced | Self::ClusterScoped | Self::WithStatus | Self::All => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Resource;

    #[test]
    fn every_subject_of_generic_scenarios_is_usual() {
        let gadgets = Resource::of(&format!("k3f9x{GROUP}"), "v1", "gadgets", "Gadgets");
        let resources = [
            ResourceUnderTest::of(Resource::configmaps()),
            ResourceUnderTest::deployments(),
            ResourceUnderTest::cluster_roles(),
            ResourceUnderTest::defined(gadgets),
        ];
        assert!(resources.iter().all(|resource| Subject::is_usual(&resource.group_resource())));
        assert!(!Subject::is_usual("secrets") && !Subject::is_usual("deployments"));
    }
}
