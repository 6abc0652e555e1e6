//! Collections: retained versions of the objects of one type, and their changes.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::watch;

use super::cursor::{BATCH, BATCH_BYTES};
use super::page::{Page, Range};
use super::retained::{RetainedChange, State, Version, bytes_of};
use super::shared_line::SharedLine;
use crate::metadata::{self, text};

/// The number of changes of a collection that are not packed: watches read these again and again.
const RECENT: usize = 200;

/// The approximate bytes of these changes: a few states of a large object would fill the memory.
pub(super) const RECENT_BYTES: usize = 16 << 20;

/// A stored object; immutable.
pub(crate) type Object = Arc<Value>;

#[derive(Debug)]
pub(crate) struct Change {
    /// The revision of the change.
    pub(crate) revision: u64,
    pub(super) key: String,
    /// The old state: `None` for a new object.
    pub(crate) before: Option<Object>,
    /// The new state; for a removal the last state, with the version of the removal.
    pub(crate) after: Object,
    /// Whether the change removed the object.
    pub(crate) removed: bool,
    /// The line of its event for watches.
    pub(crate) line: Arc<SharedLine>,
}

impl Change {
    pub(super) fn new(
        revision: u64,
        key: &str,
        before: Option<Object>,
        after: Object,
        removed: bool,
    ) -> Self {
        let (key, line) = (key.to_owned(), Arc::default());
        Self { revision, key, before, after, removed, line }
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// The namespace of the object; its name if the type is cluster-scoped.
    pub(crate) fn namespace(&self) -> &str {
        self.key.split_once('/').map_or(&self.key, |(namespace, _)| namespace)
    }
}

/// The objects of one type by key (`namespace/name`, or `name`), and their changes.
pub(super) struct Collection {
    began: u64,
    opened: Instant,
    objects: BTreeMap<String, Vec<Version>>,
    /// The newest state of the objects that exist: a read of it need not pass those that were deleted.
    current: BTreeMap<String, Object>,
    /// Those of them that controllers act on, which are few.
    governed: BTreeMap<String, Object>,
    changes: VecDeque<RetainedChange>,
    /// The bytes of the states after all retained changes; the states before them are among these.
    bytes: usize,
    /// The number of changes that are packed: the oldest ones.
    packed: usize,
    /// The approximate bytes of the other changes.
    recent_bytes: usize,
    compacted: u64,
    head: watch::Sender<u64>,
}

impl Collection {
    pub(super) fn new(began: u64) -> Self {
        Self {
            began,
            opened: Instant::now(),
            objects: BTreeMap::new(),
            current: BTreeMap::new(),
            governed: BTreeMap::new(),
            changes: VecDeque::new(),
            bytes: 0,
            packed: 0,
            recent_bytes: 0,
            compacted: 0,
            head: watch::Sender::new(began),
        }
    }

    /// The first revision of the history.
    pub(super) fn began(&self) -> u64 {
        self.began
    }

    /// The time since the collection was opened, or its definition changed.
    pub(super) fn age(&self) -> Duration {
        self.opened.elapsed()
    }

    /// Resets the age.
    pub(super) fn refresh(&mut self) {
        self.opened = Instant::now();
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.head.subscribe()
    }

    /// The state of an object at a revision.
    pub(super) fn at(&self, key: &str, revision: u64) -> Option<Object> {
        version_at(self.objects.get(key)?, revision)
    }

    /// The newest states of the objects that controllers act on.
    pub(super) fn governed(&self) -> Vec<Object> {
        self.governed.values().cloned().collect()
    }

    /// Whether there is an object with this key prefix.
    pub(super) fn is_occupied(&self, prefix: &str) -> bool {
        within(&self.current, &Range::all(prefix)).next().is_some()
    }

    /// The UIDs of the objects.
    pub(super) fn uids(&self) -> impl Iterator<Item = &str> {
        self.current.values().map(|object| text(object, "uid"))
    }

    /// The retained changes, oldest first.
    pub(super) fn changes(&self) -> impl DoubleEndedIterator<Item = &RetainedChange> {
        self.changes.iter()
    }

    /// The approximate bytes of the retained changes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The revision and the approximate bytes of each retained change.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (u64, usize)> {
        self.changes.iter().map(|change| (change.revision, change.bytes))
    }

    /// Records the newest change.
    pub(super) fn record(&mut self, change: Change) {
        let state = (!change.removed).then(|| State::Parsed(change.after.clone()));
        let version = Version { revision: change.revision, state };
        if change.removed {
            self.current.remove(&change.key);
        } else {
            self.current.insert(change.key.clone(), change.after.clone());
        }
        if !change.removed && is_governed(&change.after) {
            self.governed.insert(change.key.clone(), change.after.clone());
        } else {
            self.governed.remove(&change.key);
        }
        self.objects.entry(change.key.clone()).or_default().push(version);
        self.head.send_replace(change.revision);
        let change = RetainedChange::new(change);
        self.bytes += change.bytes;
        self.recent_bytes += change.bytes;
        self.changes.push_back(change);
        while self.has_too_many_recent() {
            self.pack_next();
        }
    }

    fn has_too_many_recent(&self) -> bool {
        let recent = self.changes.len() - self.packed;
        recent > RECENT || (recent > 1 && self.recent_bytes > RECENT_BYTES)
    }

    /// Packs the state before the oldest recent change, wherever it is retained; that after it may still be current.
    fn pack_next(&mut self) {
        let change = &mut self.changes[self.packed];
        self.packed += 1;
        self.recent_bytes -= change.bytes;
        if change.removed {
            self.bytes -= change.pack(change.after.packed());
        }
        let Some(before) = change.before.take().map(|before| before.packed()) else { return };
        change.before = Some(before.clone());
        let Some(versions) = self.objects.get_mut(&change.key) else { return };
        let next = versions.partition_point(|version| version.revision < change.revision);
        let Some(version) = next.checked_sub(1).and_then(|last| versions.get_mut(last)) else { return };
        version.state = Some(before.clone());
        if let Ok(last) = self.changes.binary_search_by_key(&version.revision, |change| change.revision) {
            self.bytes -= self.changes[last].pack(before);
        }
    }

    /// Removes versions that only revisions before `revision` need.
    pub(super) fn compact(&mut self, revision: u64) {
        while self.changes.front().is_some_and(|change| change.revision <= revision) {
            let Some(change) = self.changes.pop_front() else { break };
            self.compacted = change.revision;
            self.bytes -= change.bytes;
            match self.packed.checked_sub(1) {
                Some(packed) => self.packed = packed,
                None => self.recent_bytes -= change.bytes,
            }
        }
        self.objects.retain(|_, versions| {
            let needed = versions.partition_point(|version| version.revision <= revision).saturating_sub(1);
            versions.drain(..needed);
            versions.last().is_some_and(|last| last.state.is_some() || last.revision > revision)
        });
        self.head.send_modify(|_| {});
    }

    /// The next changes after a revision, and whether there are no more: `None` if some are compacted.
    pub(super) fn after(&self, revision: u64) -> Option<(Vec<Arc<Change>>, bool)> {
        if revision < self.compacted {
            return None;
        }
        let first = self.changes.partition_point(|change| change.revision <= revision);
        let mut bytes = 0;
        let fitting = self.changes.range(first..).take(BATCH).take_while(|change| {
            let fits = bytes <= BATCH_BYTES;
            bytes += change.bytes;
            fits
        });
        let changes: Vec<_> = fitting.map(RetainedChange::change).collect();
        let are_all = first + changes.len() == self.changes.len();
        Some((changes, are_all))
    }

    /// Whether the objects with a key prefix take more than this many bytes.
    pub(super) fn takes_more(&self, prefix: &str, most: usize) -> bool {
        let mut bytes = 0;
        within(&self.current, &Range::all(prefix)).any(|(_, object)| {
            bytes += bytes_of(object);
            bytes > most
        })
    }

    /// A key range at a revision.
    pub(super) fn page(&self, range: &Range<'_>, at: u64, keep: impl Fn(&Value) -> bool) -> Page {
        let mut page = Page::empty(at);
        for (key, object) in self.alive(range, at) {
            if range.limit.is_some_and(|limit| page.items.len() >= limit) {
                page.more += 1;
                continue;
            }
            page.last_key.clone_from(key);
            if keep(&object) {
                page.items.push(object);
            } else {
                page.passed_over += 1;
            }
        }
        page
    }

    fn alive<'a>(
        &'a self,
        range: &'a Range<'_>,
        at: u64,
    ) -> Box<dyn Iterator<Item = (&'a String, Object)> + 'a> {
        if *self.head.borrow() <= at {
            return Box::new(within(&self.current, range).map(|(key, object)| (key, object.clone())));
        }
        let objects = within(&self.objects, range);
        Box::new(objects.filter_map(move |(key, versions)| Some((key, version_at(versions, at)?))))
    }
}

/// Whether an object is being deleted, or has owners.
fn is_governed(object: &Value) -> bool {
    metadata::is_deleted(object) || object["metadata"]["ownerReferences"].is_array()
}

/// The entries of a key range.
fn within<'a, T>(
    entries: &'a BTreeMap<String, T>,
    range: &'a Range<'_>,
) -> impl Iterator<Item = (&'a String, &'a T)> {
    entries
        .range::<str, _>((Bound::Included(range.start.as_str()), Bound::Unbounded))
        .take_while(|(key, _)| key.starts_with(range.prefix))
}

fn version_at(versions: &[Version], revision: u64) -> Option<Object> {
    let version = versions.iter().rfind(|version| version.revision <= revision)?;
    version.state.as_ref().map(State::object)
}
