//! Field sets: membership, union, difference and intersection.

use std::collections::{BTreeMap, BTreeSet};

use super::path::{Element, Path};

/// A set of fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldSet {
    /// The members at this place.
    pub(super) members: BTreeSet<Element>,
    /// What is below: never an empty set.
    pub(super) children: BTreeMap<Element, FieldSet>,
}

impl FieldSet {
    /// The set of these fields.
    pub(crate) fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut set = Self::default();
        paths.into_iter().for_each(|path| set.insert(path));
        set
    }

    /// Adds a field. Nobody owns the object itself.
    pub(crate) fn insert(&mut self, path: &Path) {
        let Some((last, way)) = path.0.split_last() else { return };
        let place = way.iter().fold(self, |set, step| set.children.entry(step.clone()).or_default());
        place.members.insert(last.clone());
    }

    /// Whether a field is a member.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let Some((last, way)) = path.0.split_last() else { return false };
        let place = way.iter().try_fold(self, |set, step| set.children.get(step));
        place.is_some_and(|set| set.members.contains(last))
    }

    /// Whether there is no member.
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty() && self.children.is_empty()
    }

    /// What is below a step.
    pub(super) fn below(&self, step: &Element) -> Option<&Self> {
        self.children.get(step)
    }

    /// All members.
    pub(crate) fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        self.collect(&Path::default(), &mut paths);
        paths
    }

    fn collect(&self, here: &Path, paths: &mut Vec<Path>) {
        paths.extend(self.members.iter().map(|member| here.then(member.clone())));
        for (step, below) in &self.children {
            below.collect(&here.then(step.clone()), paths);
        }
    }

    /// What is in one or the other.
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

    /// What is in both.
    #[must_use]
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let members = self.members.intersection(&other.members).cloned().collect();
        let children = self.children.iter().filter_map(|(step, below)| {
            let both = below.intersection(other.children.get(step)?);
            (!both.is_empty()).then(|| (step.clone(), both))
        });
        Self { children: children.collect(), members }
    }

    /// What is in this one alone. A member takes away nothing below it.
    #[must_use]
    pub(crate) fn difference(&self, other: &Self) -> Self {
        self.without(other, false)
    }

    /// What is in this one, and neither in the other nor below a member of it.
    #[must_use]
    pub(crate) fn recursive_difference(&self, other: &Self) -> Self {
        self.without(other, true)
    }

    fn without(&self, other: &Self, recursive: bool) -> Self {
        let members = self.members.difference(&other.members).cloned().collect();
        let children = self.children.iter().filter_map(|(step, below)| {
            let left = match other.children.get(step) {
                _ if recursive && other.members.contains(step) => return None,
                Some(gone) => below.without(gone, recursive),
                None => below.clone(),
            };
            (!left.is_empty()).then(|| (step.clone(), left))
        });
        Self { children: children.collect(), members }
    }
}
