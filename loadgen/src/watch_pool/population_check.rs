//! Whether streaming lists, and lists before watches, have every object of the population, which exists all the time.

use super::initial_objects::Difference;
use super::watcher::Watcher;
use super::worker_watches::WorkerWatches;
use crate::broken_rules::Rule;
use crate::listed_check::{ListedCheck, ReadList};
use crate::population::name;
use crate::scan::ScannedEvent;

impl WorkerWatches {
    /// Adds the object of an initial event, if it is one of the population, and compares its version.
    pub(super) fn add_initial_object(
        &self,
        watcher: &mut Watcher,
        index: usize,
        seen: &ScannedEvent<'_>,
        frame: &[u8],
    ) {
        let Some(route) = self.watch_pool.routes.get(watcher.route) else { return };
        let Some(object) = seen.object(frame).filter(|object| *object < route.objects) else { return };
        watcher.initial_objects.add(u64::from(object));
        let (versions, in_list) = (&self.stamps.versions, watcher.not_older_than);
        let is_too_old = |version: u64| versions.is_too_old(object as usize, version, in_list);
        if seen.version.parse().is_ok_and(is_too_old) {
            let (name, version) = (name(object as usize), &seen.version);
            self.breach(Rule::Stale, || {
                format!("the initial events of watch {index} have {name} in version {version}, without a later write that was acknowledged before")
            });
        }
    }

    /// Compares all initial events of a watch with the population.
    pub(super) fn compare_initial_objects(&self, watcher: &Watcher, index: usize) {
        let Some(route) = self.watch_pool.routes.get(watcher.route) else { return };
        let Some(difference) = watcher.initial_objects.difference(route.population) else { return };
        let (rule, verb) = match difference {
            Difference::Short => (Rule::ListShort, "lack some"),
            Difference::Repeated => (Rule::Repeated, "have some more than once"),
        };
        let (have, there) = (watcher.initial_objects.count(), route.population.count());
        self.breach(rule, || {
            format!("the initial events of watch {index} {verb}: {have} of {there} objects")
        });
    }

    /// Compares the list before a watch with the population, if its items were counted twice.
    pub(super) fn compare_list(
        &self,
        index: usize,
        items: u64,
        misread: Option<bool>,
        repeated: Option<&str>,
    ) {
        let Some(misread) = misread else { return };
        let checks = &mut self.check.borrow_mut().checks;
        checks.checked += 1;
        checks.misread += u64::from(misread);
        let there = self.route(index).population.count();
        if items < there {
            self.breach(Rule::ListShort, || {
                format!("the list before watch {index} lacks some: {items} of {there} objects")
            });
        }
        if let Some(name) = repeated {
            self.breach(Rule::Repeated, || {
                format!("the list before watch {index} has {name} more than once")
            });
        }
    }

    /// Judges the items of the list before a watch, as far as they are read.
    pub(super) fn judge_listed(&self, index: usize, listed: ReadList<'_>) {
        let route = self.route(index);
        let check = ListedCheck {
            namespace: &route.collection.namespace,
            stamps: &self.stamps,
            padding: route.padding,
        };
        for (rule, what) in check.broken(listed) {
            self.breach(rule, || format!("the list before watch {index} {what}"));
        }
    }

    /// Compares the version of a list before a watch, or of a streaming list, with that of an earlier write; only numbers
    /// are comparable.
    pub(super) fn compare_version(
        &self,
        (subject, index): (&str, usize),
        version: &str,
        not_older_than: u64,
    ) {
        if version.parse().is_ok_and(|version: u64| version < not_older_than) {
            self.breach(Rule::Stale, || {
                format!(
                    "{subject} {index} has version {version}, after a write was acknowledged, or an event came, with {not_older_than}"
                )
            });
        }
    }
}
