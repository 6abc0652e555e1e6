//! Field sets and type changes: named parents, and fields that became atomic.

use std::collections::BTreeMap;

use super::field_set::FieldSet;
use super::path::Element;
use super::types::Type;

impl FieldSet {
    /// The set with all named struct fields on the paths of its members.
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

    /// The set after a type change: an owner of a part of an atomic value owns all of it.
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
