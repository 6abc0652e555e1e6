//! Whether the items of a list belong there, are as new as the list, are the objects that were created, and have their
//! data.

use crate::broken_rules::Rule;
use crate::scan::ListedObject;
use crate::stamp::Stamps;

/// What is known of the objects of the run in a namespace.
pub(crate) struct ListedCheck<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) stamps: &'a Stamps,
    /// The minimum length of the data of an object, in bytes; 0 if the list does not have the data.
    pub(crate) padding: u64,
}

/// A list whose items are read.
#[derive(Clone, Copy)]
pub(crate) struct ReadList<'a> {
    /// The version of the list, if it is a number.
    pub(crate) version: Option<u64>,
    /// The length of its body.
    pub(crate) bytes: u64,
    pub(crate) items: &'a [ListedObject],
}

impl ListedCheck<'_> {
    /// The rules that a list breaks, each with what it has.
    pub(crate) fn broken(&self, listed: ReadList<'_>) -> impl Iterator<Item = (Rule, String)> {
        let found = [
            (Rule::Unselected, self.misplaced(listed)),
            (Rule::Stale, self.too_old(listed)),
            (Rule::Replaced, self.replaced(listed)),
            (Rule::Unstored, self.without_data(listed)),
        ];
        found.into_iter().filter_map(|(rule, what)| Some((rule, what?)))
    }

    /// An item of another namespace.
    fn misplaced(&self, ReadList { items, .. }: ReadList<'_>) -> Option<String> {
        let is_elsewhere = |one: &&ListedObject| !one.namespace.is_empty() && one.namespace != self.namespace;
        let ListedObject { name, namespace, .. } = items.iter().find(is_elsewhere)?;
        Some(format!("has {name} of the namespace {namespace}"))
    }

    /// An item without a write that the list has, or newer than the list.
    fn too_old(&self, ReadList { version, items, .. }: ReadList<'_>) -> Option<String> {
        let in_list = version?;
        let versions = &self.stamps.versions;
        items.iter().find_map(|one| {
            let (object, version) = one.object().zip(one.version())?;
            let is_wrong = version > in_list || versions.is_too_old(object, version, in_list);
            let name = &one.name;
            is_wrong.then(|| {
                format!("has version {in_list}, and {name} in version {version}, which it cannot have then")
            })
        })
    }

    /// An item with another UID than before.
    fn replaced(&self, ReadList { items, .. }: ReadList<'_>) -> Option<String> {
        items.iter().find_map(|one| {
            let before = self.stamps.uids.replaced(one.object()?, &one.uid)?;
            Some(format!("has {} with UID {:?}, which had {before:?} before", one.name, one.uid))
        })
    }

    /// Objects whose lengths are less than that of the data alone that they were written with.
    fn without_data(&self, ReadList { bytes, items, .. }: ReadList<'_>) -> Option<String> {
        let own = items.iter().filter(|one| one.object().is_some()).count() as u64;
        let padding = self.padding;
        (bytes < own * padding)
            .then(|| format!("has {own} objects of over {padding} bytes of data in {bytes} bytes"))
    }
}
