//! What a scenario puts outside of namespaces.

use serde_json::{Value, json};

use super::Context;
use crate::fixture::RUN_LABEL;

impl Context {
    /// A name of this scenario's own.
    pub fn own_name(&self, what: &str) -> String {
        format!("assay-{}-{}-{what}", self.inner.shared.id, self.inner.number)
    }

    /// The labels by which what a run has created can be found, and deleted by hand.
    pub fn own_labels(&self) -> Value {
        json!({ "app.kubernetes.io/managed-by": "kube-assay", RUN_LABEL: self.inner.shared.id })
    }

    /// Has the run remove what stands at a path, should it be there in the end.
    pub fn remove_in_the_end(&self, path: &str) {
        self.inner.shared.fixtures.register_object(path);
    }
}
