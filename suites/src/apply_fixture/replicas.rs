//! The fixture of `spec.replicas`, with users and autoscalers as managers.

use super::owner::{self, Owner};
use super::{ApplyFixture, on_subresource};
use crate::fields::remove;
use crate::prelude::*;
use crate::{deployments, patch_types};

/// The path of `spec.replicas`, as in `fieldsV1`.
const OWNED: &str = "f:spec/f:replicas";

/// The path of `spec.replicas`, as in causes of a conflict.
pub(crate) const FIELD: &str = ".spec.replicas";

/// Fields with the number alone.
pub(crate) fn only(replicas: u32) -> Value {
    json!({ "spec": { "replicas": replicas } })
}

impl ApplyFixture {
    /// The fixture of a missing Deployment; it will be paused, so no Pod starts.
    pub(crate) async fn of_a_paused_deployment(cx: &Context) -> Result<Self, Halt> {
        Ok(Self::new(cx, deployments::collection(cx).await?))
    }

    /// A complete paused Deployment with or without `spec.replicas`.
    pub(crate) fn paused_deployment(&self, replicas: Option<u32>) -> Value {
        let mut whole = deployments::body(self.name);
        remove(&mut whole["spec"], "replicas");
        if let Some(replicas) = replicas {
            whole["spec"]["replicas"] = replicas.into();
        }
        whole
    }

    /// The fixture of an object of the scenario's subject that `m1` has applied with one replica. Skips without scale.
    pub(crate) async fn of_a_scaled_thing(cx: &Context) -> Result<Self, Halt> {
        let fixture = Self::new(cx, cx.collection_under_test().await?);
        if !fixture.collection.has_scale() {
            let plural = &fixture.collection.resource().plural;
            return Err(Halt::skip(format!("{plural} have no scale subresource")));
        }
        fixture.applied("m1", &fixture.scaled_thing()).await?;
        Ok(fixture)
    }

    /// The whole object with one replica.
    pub(crate) fn scaled_thing(&self) -> Value {
        let mut whole = self.collection.body(self.name, "first");
        whole["spec"]["replicas"] = 1.into();
        whole
    }

    /// An apply of a Scale with this number of replicas.
    pub(crate) fn applying_scale(&self, manager: &str, replicas: u32) -> Request {
        let scale = json!({
            "apiVersion": "autoscaling/v1",
            "kind": "Scale",
            "metadata": { "name": self.collection.name_of(self.name) },
            "spec": { "replicas": replicas },
        });
        on_subresource("scale", patch_types::apply(&self.collection, self.name, manager, &scale))
    }

    /// The object has this number of replicas, and exactly these owners have the field.
    pub(crate) async fn expect_replicas(&self, replicas: u32, owners: &[Owner]) -> Checked {
        let shown = self.read().await?;
        shown.expect_value("/spec/replicas", &json!(replicas))?;
        expect_owners_of_replicas(&shown, owners)
    }
}

/// Exactly these owners have `spec.replicas`.
pub(crate) fn expect_owners_of_replicas(response: &Exchange, owners: &[Owner]) -> Checked {
    owner::expect_owners(response, OWNED, owners)
}
