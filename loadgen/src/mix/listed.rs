//! The items of the lists of the mix.

use super::{Mix, lock};
use crate::broken_rules::Rule;
use crate::listed_check::{ListedCheck, ReadList};
use crate::requests::Outcome;
use crate::scan::ListedObject;
use crate::template::is_labelled;
use crate::workload::Way;

impl Mix {
    /// Judges the items of a complete list of this form in a place, if they are read.
    pub(super) fn judge_listed(&self, way: Way, place: usize, outcome: &Outcome) {
        let Some(items) = &outcome.listed else { return };
        let place = &self.settled.places[place];
        let has_data = !matches!(way, Way::Table | Way::Metadata);
        let check = ListedCheck {
            namespace: &place.namespace,
            stamps: &self.stamps,
            padding: if has_data { self.padding } else { 0 },
        };
        let listed = ReadList { version: outcome.version, bytes: outcome.bytes, items };
        let unlabelled = unlabelled(items).filter(|_| way == Way::Selector);
        for (rule, what) in check.broken(listed).chain(unlabelled) {
            let example = || format!("{} ({}) {what}", place.path, way.variant());
            lock(&self.summary).broken_rules.count(rule, example);
        }
    }
}

/// An item without the label of the selector.
fn unlabelled(items: &[ListedObject]) -> Option<(Rule, String)> {
    let one = items.iter().find(|one| one.object().is_some_and(|object| !is_labelled(object)))?;
    Some((Rule::Unselected, format!("has {}, which does not match", one.name)))
}
