//! Collections of the run's custom resources.

use super::Context;
use model::Halt;

use crate::collection::Collection;

impl Context {
    /// The run's custom resource that preserves unknown fields, in the scenario's namespace.
    ///
    /// Its `spec` requires `size`, a number; `template` is an object with metadata of its own.
    pub async fn open_custom_resources(&self) -> Result<Collection, Halt> {
        let resource = self.vessels_resource().await?;
        self.collection(resource).await
    }

    /// The run's custom resource with every type of list and map, in the scenario's namespace; with status and scale.
    ///
    /// Its `spec` has
    /// - `size` (a number, 1 by default, at most 100), `mode` and `value` (texts), `replicas`;
    /// - lists: `tags` (a set), `args` (atomic), `plainList` (of no declared type), `rules` (keyed by `name`, with
    ///   `value` and `note`), `ports` (keyed by `port` and `protocol`, TCP by default, with `label`);
    /// - maps: `settings` (granular, of texts), `atomicMap`, `freeform` (without declared fields);
    /// - structures: `granularStruct` (texts `x`, `y`), `atomicStruct` (numbers `x`, `y`, and `z`, 1 by default).
    ///
    /// Its `status` has `phase`. Its printer columns are Size, Mode (of priority 1), Phase and Born (a date).
    pub async fn gizmos(&self) -> Result<Collection, Halt> {
        let resource = self.gizmos_resource().await?;
        self.defined(resource).await
    }

    /// The run's custom resource with several versions, in the scenario's namespace: see [`Context::editions_resource`].
    pub async fn editions(&self) -> Result<Collection, Halt> {
        let resource = self.editions_resource().await?;
        self.defined(resource).await
    }

    /// The run's custom resource with many versions, in the scenario's namespace: see [`Context::releases_resource`].
    pub async fn releases(&self) -> Result<Collection, Halt> {
        let resource = self.releases_resource().await?;
        self.defined(resource).await
    }
}
