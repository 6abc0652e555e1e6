//! Names and labels of what a scenario creates outside of namespaces.

use serde_json::Value;

use super::Context;
use model::Halt;

use crate::fixture::labels_of;

impl Context {
    /// A name that only this scenario uses. In work for all scenarios it is the run's: a replay may leave that work to another
    /// scenario.
    pub fn own_name(&self, what: &str) -> String {
        let number = if target::is_shared() { 0 } else { self.inner.number };
        format!("{}{what}", self.inner.session.fixtures.names_of(number))
    }

    /// Whether the bearer token alone identifies the user to the server.
    pub async fn is_known_by_token(&self) -> Result<bool, Halt> {
        Ok(self.inner.session.client.is_by_token_alone().await?)
    }

    /// The labels of every object of the run.
    pub fn own_labels(&self) -> Value {
        labels_of(&self.inner.session.id)
    }

    /// Registers the object at a path, of an [own name](Self::own_name) and without a namespace, for removal at the end of the
    /// scenario: the server need not look at it for other scenarios.
    pub fn remove_with_scenario(&self, path: &str) {
        self.inner.session.fixtures.register_cluster_scoped(path);
    }

    /// Registers the object at a path for removal at the end of the run.
    pub fn remove_in_the_end(&self, path: &str) {
        self.inner.session.fixtures.register_object(path);
    }
}
