//! A custom resource whose definition changes between atomic and granular maps.

use super::ApplyFixture;
use super::custom_type::Definition;
use super::owner::{applier, owned_by};
use crate::prelude::*;

/// The JSON pointer to the map's topology in the definition.
const TOPOLOGY: &str =
    "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/map/x-kubernetes-map-type";

/// The path of the map, as in `fieldsV1`.
pub(crate) const OWNED: &str = "f:spec/f:map";

/// The path of one of its keys.
pub(crate) const KEY_OWNED: &str = "f:spec/f:map/f:a";

/// The ownership of a map.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Topology {
    /// Key by key.
    Granular,
    /// As a whole.
    Atomic,
}

impl Topology {
    fn word(self) -> &'static str {
        match self {
            Self::Granular => "granular",
            Self::Atomic => "atomic",
        }
    }
}

/// The fixture of an object with a map whose topology changes.
#[derive(Debug, Clone)]
pub(crate) struct Morph {
    definition: Definition,
    /// The fixture.
    pub(crate) fixture: ApplyFixture,
}

impl Morph {
    /// The fixture of a type whose spec has this map of texts, and the text `value`.
    pub(crate) async fn of(cx: &Context, topology: Topology) -> Result<Self, Halt> {
        let text = json!({ "type": "string" });
        let map = json!({
            "type": "object", "additionalProperties": text, "x-kubernetes-map-type": topology.word(),
        });
        let definition = Definition::new(cx, &["v1"], &json!({ "value": text, "map": map }))?;
        let definition = definition.defined().await?;
        let fixture = definition.fixture("v1").await?;
        Ok(Self { definition, fixture })
    }

    /// Changes the topology, and waits until the server uses it for writes.
    pub(crate) async fn becomes(&self, topology: Topology) -> Checked {
        let (word, shown) = match topology {
            Topology::Granular => (topology.word(), KEY_OWNED),
            Topology::Atomic => (topology.word(), OWNED),
        };
        self.definition.change(&json!([{ "op": "replace", "path": TOPOLOGY, "value": word }])).await?;
        let probe = self.fixture.of("probe");
        let heeded = self.fixture.cx.eventually(|| async {
            let tried = probe.applying("probe", &map(&json!({ "a": "1" }))).query("dryRun", "All");
            let owned = owned_by(&probe.write(tried).await?, applier("probe"));
            Ok(owned.contains(shown).then_some(()))
        });
        let why = format!("objects are not written by it in time: what an applier owns is not {shown}");
        heeded.await?.ok_or_else(|| self.fixture.cx.test_error(format!("make a map {word}"), why).into())
    }
}

/// Fields with this map alone.
pub(crate) fn map(map: &Value) -> Value {
    json!({ "spec": { "map": map } })
}
