//! Subjects of scenarios: the kinds of resources, and which of them a scenario applies to.

use std::sync::Arc;

use crate::resource_under_test::ResourceUnderTest;

/// What the group of every custom resource of ours ends with.
pub const GROUP: &str = ".kube-assay.dev";

/// On what a scenario is asked.
#[derive(Debug, Clone, Default)]
pub enum Subject {
    /// A built-in namespaced type: what a scenario is asked on that says nothing else.
    #[default]
    ConfigMap,
    /// A built-in type with spec, status and scale.
    Deployment,
    /// A built-in type without namespaces.
    ClusterScoped,
    /// A custom resource, defined for this run.
    CustomResource,
    /// The type that the user named.
    Given(Arc<ResourceUnderTest>),
}

impl Subject {
    /// What a scenario's id says behind its clause; nothing for the first one.
    pub fn variant(&self) -> Option<String> {
        match self {
            Self::ConfigMap => None,
            Self::Deployment => Some("deployment".to_owned()),
            Self::ClusterScoped => Some("cluster-scoped".to_owned()),
            Self::CustomResource => Some("custom-resource".to_owned()),
            Self::Given(shape) => Some(shape.group_resource()),
        }
    }

    /// Whether generic scenarios are asked of this type, such as `deployments.apps`, where the user names none; or it is
    /// a custom resource of ours, which other scenarios are asked of as well.
    pub fn is_usual(group_resource: &str) -> bool {
        let built_in = ["configmaps", "deployments.apps", "clusterroles.rbac.authorization.k8s.io"];
        built_in.contains(&group_resource) || group_resource.ends_with(GROUP)
    }
}

/// Of what subjects a scenario can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kinds {
    /// Of the types that it names itself.
    #[default]
    Own,
    /// Of any type with namespaces: it looks at a collection of its own as a whole.
    Namespaced,
    /// Of any type.
    All,
    /// Of any type with a status subresource.
    WithStatus,
}

impl Kinds {
    /// The subjects of which a scenario is asked where the user names none.
    pub fn subjects(self) -> &'static [Subject] {
        static OWN: [Subject; 1] = [Subject::ConfigMap];
        static NAMESPACED: [Subject; 2] = [Subject::ConfigMap, Subject::CustomResource];
        static ALL: [Subject; 4] =
            [Subject::ConfigMap, Subject::Deployment, Subject::ClusterScoped, Subject::CustomResource];
        static WITH_STATUS: [Subject; 2] = [Subject::Deployment, Subject::CustomResource];
        match self {
            Self::Own => &OWN,
            Self::Namespaced => &NAMESPACED,
            Self::All => &ALL,
            Self::WithStatus => &WITH_STATUS,
        }
    }

    /// Why a scenario cannot be asked of a type; `None` if it can.
    pub fn reason_against(self, shape: &ResourceUnderTest) -> Option<String> {
        let plural = &shape.resource.plural;
        match self {
            Self::Own => Some("it asks about types of its own, and --subject was given".to_owned()),
            Self::Namespaced if !shape.namespaced => Some(format!("{plural} live in no namespace")),
            Self::WithStatus if !shape.status => Some(format!("{plural} have no status subresource")),
            Self::WithStatus if shape.status_at().is_none() || !shape.value_in_spec() => {
                Some(format!("the template of {plural} marks no field of both spec and status with $VALUE"))
            }
            Self::Namespaced | Self::WithStatus | Self::All => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resource::Resource;

    #[test]
    fn the_usual_subjects_are_those_that_scenarios_are_asked_of() {
        let gadgets = Resource::of(&format!("k3f9x{GROUP}"), "v1", "gadgets", "Gadgets");
        let shapes = [
            ResourceUnderTest::of(Resource::configmaps()),
            ResourceUnderTest::deployments(),
            ResourceUnderTest::cluster_roles(),
            ResourceUnderTest::defined(gadgets),
        ];
        assert!(shapes.iter().all(|shape| Subject::is_usual(&shape.group_resource())));
        assert!(!Subject::is_usual("secrets") && !Subject::is_usual("deployments"));
    }
}
