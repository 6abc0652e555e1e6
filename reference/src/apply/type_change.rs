//! Field sets and type changes: named parents, and fields that became atomic.

use std::collections::BTreeMap;

use super::field_set::FieldSet;
use super::path::Element;
use super::types::Type;

impl FieldSet {
    /// The set with all fields on the way to a member that have a name in the type.
    pub(super) fn with_named(&self, ty: &Type) -> Self {
        let mut set = self.clone();
        for (step, below) in &self.children {
            if let Element::Field(name) = step
                && ty.as_map().is_some_and(|map| map.names(name))
            {
                set.members.insert(step.clone());
            }
            let named = ty.below(step).map_or_else(|| below.clone(), |ty| below.with_named(ty));
            set.children.insert(step.clone(), named);
        }
        set
    }

    /// The set after its type has changed: who owned a part of what is atomic now owns all of it.
    pub(super) fn reconciled(&self, ty: &Type) -> Self {
        if ty.is_deduced() {
            return self.clone();
        }
        let mut set = Self { members: self.members.clone(), children: BTreeMap::new() };
        for (step, below) in &self.children {
            match ty.below(step) {
                Some(ty) if ty.is_atomic() => {
                    set.members.insert(step.clone());
                }
                Some(ty) => {
                    set.children.insert(step.clone(), below.reconciled(ty));
                }
                None => {
                    set.children.insert(step.clone(), below.clone());
                }
            }
        }
        set
    }
}
