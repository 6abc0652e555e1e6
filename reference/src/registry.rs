//! Registry of the served resource types.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::built_in_types;
use crate::resource_type::ResourceType;

/// Group, version and plural: the path of a type.
type TypePath = (String, String, String);

/// The served types by path.
pub(crate) struct Registry(RwLock<BTreeMap<TypePath, Arc<ResourceType>>>);

impl Registry {
    /// The built-in types.
    pub(crate) fn new() -> Self {
        let types =
            built_in_types::stored().chain(built_in_types::reviews()).map(|ty| (path(&ty), Arc::new(ty)));
        Self(RwLock::new(types.collect()))
    }

    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Option<Arc<ResourceType>> {
        let path = (group.to_owned(), version.to_owned(), plural.to_owned());
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&path).cloned()
    }

    /// All types, by group, version and plural.
    pub(crate) fn all(&self) -> Vec<Arc<ResourceType>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The other served versions of a type.
    pub(crate) fn other_versions(&self, ty: &ResourceType) -> Vec<Arc<ResourceType>> {
        let mut all = self.all();
        all.retain(|other| {
            other.group == ty.group && other.plural == ty.plural && other.version != ty.version
        });
        all
    }

    /// Whether this differs from the served type with the same path.
    pub(crate) fn changes(&self, ty: &ResourceType) -> bool {
        self.find(&ty.group, &ty.version, &ty.plural).is_some_and(|served| *served != *ty)
    }

    /// Replaces the served versions of a custom type.
    pub(crate) fn replace(&self, group: &str, plural: &str, served: Vec<ResourceType>) {
        let mut types = self.0.write().unwrap_or_else(PoisonError::into_inner);
        types.retain(|path, _| !(path.0 == group && path.2 == plural));
        types.extend(served.into_iter().map(|ty| (path(&ty), Arc::new(ty))));
    }
}

fn path(ty: &ResourceType) -> TypePath {
    (ty.group.clone(), ty.version.clone(), ty.plural.clone())
}
