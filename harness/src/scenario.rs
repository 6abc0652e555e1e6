//! What is asked: one question, on one subject.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::capability::Capability;
use crate::clause::ClauseId;
use crate::context::Context;
use crate::definition::GROUP;
use crate::outcome::Checked;
use crate::shape::Shape;

/// The first clause that a scenario answers, and behind a `/` its variant, if it is one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScenarioId(String);

impl ScenarioId {
    /// The id as printed and as given by users.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scenario's first clause.
    pub fn clause(&self) -> &str {
        self.0.split_once('/').map_or(self.0.as_str(), |(clause, _)| clause)
    }

    /// The id under which a rule for every exchange or stream is reported.
    pub fn of_ambient(clause: &ClauseId) -> Self {
        Self(format!("{clause}/ambient"))
    }

    /// What the scenario's random choices are made from: the run's seed, so that they can be repeated, and its own name,
    /// so that they are not everybody's.
    pub(crate) fn seed(&self, run: u64) -> [u8; 32] {
        let mut seed = [0; 32];
        let (first, rest) = seed.split_at_mut(8);
        first.copy_from_slice(&run.to_le_bytes());
        for (index, byte) in self.0.bytes().enumerate() {
            let place = &mut rest[index % 24];
            *place = place.rotate_left(3) ^ byte;
        }
        seed
    }
}

impl From<&str> for ScenarioId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl fmt::Display for ScenarioId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

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
    Given(Arc<Shape>),
}

impl Subject {
    /// What a scenario's id says behind its clause; nothing for the first one.
    pub(crate) fn variant(&self) -> Option<String> {
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
    pub(crate) fn subjects(self) -> &'static [Subject] {
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
    pub(crate) fn reason_against(self, shape: &Shape) -> Option<String> {
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

/// When a scenario may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Turn {
    /// Beside others.
    #[default]
    Any,
    /// After the others, by itself: it loads or breaks the server.
    Alone,
    /// After everything was removed: the server does not survive it.
    Last,
}

/// The function behind a scenario.
pub type Ask = Arc<dyn Fn(Context) -> BoxFuture<'static, Checked> + Send + Sync>;

/// One question to the server.
#[derive(Clone)]
pub struct Scenario {
    /// Its name.
    pub id: ScenarioId,
    /// The clauses that it answers.
    pub clauses: Vec<ClauseId>,
    /// On what it is asked.
    pub subject: Subject,
    /// On what else it can be asked.
    pub kinds: Kinds,
    /// When it may run.
    pub turn: Turn,
    /// Left out of the core profile: slow or heavy.
    pub full_only: bool,
    /// Changes nothing on the server.
    pub read_only: bool,
    /// What the server lacks if this fails: it runs before what relies on that.
    pub probes: Vec<Capability>,
    /// Asks it.
    pub ask: Ask,
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Scenario {
    /// When it runs among those that probe capabilities; `None` if it runs after them.
    pub(crate) fn stage(&self) -> Option<usize> {
        let beside = self.turn == Turn::Any;
        self.probes.iter().map(|capability| capability.stage()).max().filter(|_| beside)
    }

    /// The same question, asked on another subject.
    pub(crate) fn on(&self, subject: Subject) -> Self {
        let clause = self.id.clause();
        let id = subject.variant().map_or_else(|| clause.to_owned(), |variant| format!("{clause}/{variant}"));
        Self { id: ScenarioId(id), subject, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Resource;

    #[test]
    fn the_usual_subjects_are_those_that_scenarios_are_asked_of() {
        let gadgets = Resource::of(&format!("k3f9x{GROUP}"), "v1", "gadgets", "Gadgets");
        let shapes = [
            Shape::of(Resource::configmaps()),
            Shape::deployments(),
            Shape::cluster_roles(),
            Shape::defined(gadgets),
        ];
        assert!(shapes.iter().all(|shape| Subject::is_usual(&shape.group_resource())));
        assert!(!Subject::is_usual("secrets") && !Subject::is_usual("deployments"));
    }
}
