//! Whether the items of a list belong there, are as new as the list, are the objects that were created, and have their
//! data.

use super::{Mix, lock};
use crate::broken_rules::Rule;
use crate::requests::Outcome;
use crate::scan::ListedObject;
use crate::template::is_labelled;
use crate::workload::Way;

impl Mix {
    /// Judges the items of a complete list of this form in a place, if they are read.
    pub(super) fn judge_listed(&mut self, way: Way, place: usize, outcome: &Outcome) {
        let Some(listed) = &outcome.listed else { return };
        let list = format!("{} ({})", self.settled.places[place].path, way.variant());
        let found = [
            (Rule::Unselected, self.misplaced(way, place, listed)),
            (Rule::Stale, self.too_old(outcome.version, listed)),
            (Rule::Replaced, self.replaced(listed)),
            (Rule::Unstored, self.without_data(way, outcome.bytes, listed)),
        ];
        for (rule, what) in found {
            if let Some(what) = what {
                lock(&self.summary).broken_rules.count(rule, || format!("{list} {what}"));
            }
        }
    }

    /// An item of another namespace, or without the label of the selector.
    fn misplaced(&self, way: Way, place: usize, listed: &[ListedObject]) -> Option<String> {
        let namespace = &self.settled.places[place].namespace;
        let is_elsewhere = |one: &&ListedObject| !one.namespace.is_empty() && one.namespace != *namespace;
        if let Some(ListedObject { name, namespace, .. }) = listed.iter().find(is_elsewhere) {
            return Some(format!("has {name} of the namespace {namespace}"));
        }
        let lacks_label = |one: &&ListedObject| one.object().is_some_and(|object| !is_labelled(object));
        let unlabelled = listed.iter().filter(|_| way == Way::Selector).find(lacks_label);
        unlabelled.map(|one| format!("has {}, which does not match", one.name))
    }

    /// An item without a write that the list has, or newer than the list.
    fn too_old(&self, in_list: Option<u64>, listed: &[ListedObject]) -> Option<String> {
        let in_list = in_list?;
        let versions = &self.stamps.versions;
        listed.iter().find_map(|one| {
            let (object, version) = one.object().zip(one.version())?;
            let is_wrong = version > in_list || versions.is_too_old(object, version, in_list);
            let name = &one.name;
            is_wrong.then(|| {
                format!("has version {in_list}, and {name} in version {version}, which it cannot have then")
            })
        })
    }

    /// An item with another UID than before.
    fn replaced(&mut self, listed: &[ListedObject]) -> Option<String> {
        listed.iter().find_map(|one| {
            let object = one.object()?;
            let before = self.uids.replaced(object, &one.uid)?;
            Some(format!("has {} with UID {:?}, which had {before:?} before", one.name, one.uid))
        })
    }

    /// Whole objects whose lengths are less than that of the data alone that they were written with.
    fn without_data(&self, way: Way, bytes: u64, listed: &[ListedObject]) -> Option<String> {
        let own = listed.iter().filter(|one| one.object().is_some()).count() as u64;
        let padding = self.padding;
        let is_short = !matches!(way, Way::Table | Way::Metadata) && bytes < own * padding;
        is_short.then(|| format!("has {own} objects of over {padding} bytes of data in {bytes} bytes"))
    }
}
