//! Names and labels of what a scenario creates outside of namespaces.

use serde_json::Value;

use super::Context;
use model::Halt;

use crate::fixture::labels_of;

impl Context {
    /// A name of this scenario's own.
    pub fn own_name(&self, what: &str) -> String {
        format!("{}{what}", self.inner.session.fixtures.names_of(self.inner.number))
    }

    /// Whether the server lets us in for our bearer token, and so looks at tokens.
    pub async fn is_known_by_token(&self) -> Result<bool, Halt> {
        Ok(self.inner.session.client.is_by_token_alone().await?)
    }

    /// The labels by which what a run has created can be found, and deleted by hand.
    pub fn own_labels(&self) -> Value {
        labels_of(&self.inner.session.id)
    }

    /// Has the run remove what stands at a path, should it be there in the end.
    pub fn remove_in_the_end(&self, path: &str) {
        self.inner.session.fixtures.register_object(path);
    }
}
