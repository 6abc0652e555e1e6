//! The methods by which a scenario writes a value.

use crate::apply_fixture::owner::{Owner, applier, updater};
use crate::patch_types;
use crate::prelude::*;

/// A way to write, without a fieldManager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A create of another object.
    Post,
    /// A replacement.
    Put,
    /// A merge patch.
    Merge,
    /// A JSON patch.
    Json,
    /// A strategic merge patch.
    Strategic,
    /// An apply.
    Apply,
}

impl Way {
    /// Those of every type, except apply.
    pub(super) const UPDATES: [Self; 4] = [Self::Post, Self::Put, Self::Merge, Self::Json];

    /// Those of every type.
    pub(super) const ALL: [Self; 5] = [Self::Post, Self::Put, Self::Merge, Self::Json, Self::Apply];

    /// The key of the string field that this way writes.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Post => "posted",
            Self::Put => "put",
            Self::Merge => "merged",
            Self::Json => "added",
            Self::Strategic => "strategic",
            Self::Apply => "applied",
        }
    }

    /// The owner of the fields that a manager writes in this way.
    pub(super) const fn owner(self, manager: &'static str) -> Owner {
        if matches!(self, Self::Apply) { applier(manager) } else { updater(manager) }
    }

    /// The fixture of the written object: a create creates a further one.
    pub(super) fn about(self, fixture: &ApplyFixture) -> ApplyFixture {
        if self == Self::Post { fixture.of("b") } else { fixture.clone() }
    }

    /// The request that writes the string field, without a fieldManager.
    pub(super) async fn writes(self, fixture: &ApplyFixture) -> Result<Request, Halt> {
        let fixture = &self.about(fixture);
        let (collection, name, texts) = (&fixture.collection, fixture.name, [(self.key(), "1")]);
        let add = json!([{ "op": "add", "path": fixture.text_at(self.key()), "value": "1" }]);
        Ok(match self {
            Self::Post => Request::post(collection.path(), &fixture.whole(&texts)),
            Self::Put => Request::put(fixture.path(), &fixture.now_with(self.key(), "1").await?),
            Self::Merge => patch_types::patch(collection, name, MERGE, &fixture.texts(texts)),
            Self::Json => patch_types::patch(collection, name, JSON, &add),
            Self::Strategic => patch_types::patch(collection, name, STRATEGIC, &fixture.texts(texts)),
            Self::Apply => patch_types::patch(collection, name, APPLY, &fixture.body(&fixture.texts(texts))),
        })
    }
}
