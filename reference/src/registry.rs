//! Registry of the served resource types.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::built_in_types;
use crate::resource_type::ResourceType;

/// Group, version and plural: where a type is served.
type Place = (String, String, String);

/// The served types by place.
pub(crate) struct Registry(RwLock<BTreeMap<Place, Arc<ResourceType>>>);

impl Registry {
    /// The built-in types.
    pub(crate) fn new() -> Self {
        let types =
            built_in_types::stored().chain(built_in_types::reviews()).map(|ty| (place(&ty), Arc::new(ty)));
        Self(RwLock::new(types.collect()))
    }

    /// The type served at a place.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<Arc<ResourceType>> {
        let place = (group.to_owned(), version.to_owned(), plural.to_owned());
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&place).cloned()
    }

    /// All types, by group, version and plural.
    pub(crate) fn all(&self) -> Vec<Arc<ResourceType>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Whether a type is served at its place, but otherwise than this.
    pub(crate) fn changes(&self, ty: &ResourceType) -> bool {
        self.find(&ty.group, &ty.version, &ty.plural).is_some_and(|known| *known != *ty)
    }

    /// Replaces the versions of one custom type by what its definition now serves.
    pub(crate) fn replace(&self, group: &str, plural: &str, served: Vec<ResourceType>) {
        let mut types = self.0.write().unwrap_or_else(PoisonError::into_inner);
        types.retain(|place, _| !(place.0 == group && place.2 == plural));
        types.extend(served.into_iter().map(|ty| (place(&ty), Arc::new(ty))));
    }
}

fn place(ty: &ResourceType) -> Place {
    (ty.group.clone(), ty.version.clone(), ty.plural.clone())
}
