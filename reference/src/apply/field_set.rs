//! Field sets: membership, union, difference and intersection.

use std::collections::{BTreeMap, BTreeSet};

use super::path::{Element, Path};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldSet {
    /// The members of this level.
    pub(super) members: BTreeSet<Element>,
    /// The nested sets: never empty.
    pub(super) children: BTreeMap<Element, FieldSet>,
}

impl FieldSet {
    pub(crate) fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut set = Self::default();
        paths.into_iter().for_each(|path| set.insert(path));
        set
    }

    /// Adds a field. The path of the whole object adds nothing.
    pub(crate) fn insert(&mut self, path: &Path) {
        let Some((last, way)) = path.0.split_last() else { return };
        let place = way.iter().fold(self, |set, step| set.children.entry(step.clone()).or_default());
        place.members.insert(last.clone());
    }

    pub(crate) fn has(&self, path: &Path) -> bool {
        let Some((last, way)) = path.0.split_last() else { return false };
        let place = way.iter().try_fold(self, |set, step| set.children.get(step));
        place.is_some_and(|set| set.members.contains(last))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.children.is_empty()
    }

    /// The nested set of an element.
    pub(super) fn below(&self, step: &Element) -> Option<&Self> {
        self.children.get(step)
    }

    /// The paths of all members.
    pub(crate) fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        self.collect(&Path::default(), &mut paths);
        paths
    }

    fn collect(&self, path: &Path, paths: &mut Vec<Path>) {
        paths.extend(self.members.iter().map(|member| path.then(member.clone())));
        for (step, below) in &self.children {
            below.collect(&path.then(step.clone()), paths);
        }
    }

    /// The fields in either set.
    #[must_use]
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut union = self.clone();
        union.members.extend(other.members.iter().cloned());
        for (step, below) in &other.children {
            let place = union.children.entry(step.clone()).or_default();
            *place = place.union(below);
        }
        union
    }

    /// The fields in both sets.
    #[must_use]
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let members = self.members.intersection(&other.members).cloned().collect();
        let children = self.children.iter().filter_map(|(step, below)| {
            let both = below.intersection(other.children.get(step)?);
            (!both.is_empty()).then(|| (step.clone(), both))
        });
        Self { children: children.collect(), members }
    }

    /// The fields in this set only. A member of `other` removes no fields below it.
    #[must_use]
    pub(crate) fn difference(&self, other: &Self) -> Self {
        self.without(other, false)
    }

    /// The fields that are neither in `other` nor below a member of it.
    #[must_use]
    pub(crate) fn recursive_difference(&self, other: &Self) -> Self {
        self.without(other, true)
    }

    fn without(&self, other: &Self, recursive: bool) -> Self {
        let members = self.members.difference(&other.members).cloned().collect();
        let children = self.children.iter().filter_map(|(step, below)| {
            let remaining = match other.children.get(step) {
                _ if recursive && other.members.contains(step) => return None,
                Some(removed) => below.without(removed, recursive),
                None => below.clone(),
            };
            (!remaining.is_empty()).then(|| (step.clone(), remaining))
        });
        Self { children: children.collect(), members }
    }
}
