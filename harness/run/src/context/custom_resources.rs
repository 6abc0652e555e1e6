//! Collections of the run's own custom resources.

use super::Context;
use model::Halt;

use crate::collection::Collection;

impl Context {
    /// The run's custom resource that keeps what its schema does not know, in the scenario's namespace.
    ///
    /// In its `spec`, `size` is a number that must be there, and `template` is an object with metadata of its own.
    pub async fn open_custom_resources(&self) -> Result<Collection, Halt> {
        let resource = self.vessels_resource().await?;
        self.collection(resource).await
    }

    /// The run's custom resource with every type of list and map, in the scenario's namespace; with status and scale.
    ///
    /// Its `spec` has
    /// - `size` (a number, 1 unless given, at most 100), `mode` and `value` (texts), `replicas`;
    /// - lists: `tags` (a set), `args` (atomic), `plainList` (of no declared type), `rules` (known by `name`, with
    ///   `value` and `note`), `ports` (known by `port` and `protocol`, which is TCP unless given, with `label`);
    /// - maps: `settings` (granular, of texts), `atomicMap`, `freeform` (whose fields are not declared);
    /// - structures: `granularStruct` (texts `x`, `y`), `atomicStruct` (numbers `x`, `y`, and `z`, 1 unless given).
    ///
    /// Its `status` has `phase`.
    pub async fn gizmos(&self) -> Result<Collection, Halt> {
        let resource = self.gizmos_resource().await?;
        self.defined(resource).await
    }
}
