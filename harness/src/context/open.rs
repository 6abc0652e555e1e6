//! A custom type that lets anything in.

use super::Context;
use crate::collection::Collection;
use crate::outcome::Halt;

impl Context {
    /// The run's custom resource that keeps what its schema does not know, in the scenario's namespace.
    ///
    /// In its `spec`, `size` is a number that must be there, and `template` is an object with metadata of its own.
    pub async fn open_custom_resources(&self) -> Result<Collection, Halt> {
        let resource = self.inner.shared.open_definition(self).await?;
        self.collection(resource).await
    }
}
