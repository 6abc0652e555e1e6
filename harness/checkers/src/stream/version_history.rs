//! The known versions of one collection: from acknowledged writes, and from every stream.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::breach::{Findings, StreamRule};
use super::checker::{Labels, SeenEvent, Stream};
use super::event::WatchEventType;
use super::version::ResourceVersion;
use super::write::Write;

/// The states of the objects of one collection.
#[derive(Debug, Default)]
pub(super) struct VersionHistories<'a> {
    /// By namespace and name.
    pub(super) objects: BTreeMap<&'a str, History<'a>>,
    /// The type's `kind`, from acknowledged writes.
    pub(super) kind: Option<&'a str>,
}

/// The states of one object.
#[derive(Debug, Default)]
pub(super) struct History<'a> {
    pub(super) states: HashMap<&'a ResourceVersion, VersionState<'a>>,
    /// The states with comparable versions, in order.
    pub(super) ordered: Vec<(u64, VersionState<'a>)>,
    /// The writes, in the order of their starts.
    pub(super) writes: Vec<&'a Write>,
    /// The positions of the writes with opaque versions.
    pub(super) places: HashMap<&'a ResourceVersion, usize>,
}

/// One state of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct VersionState<'a> {
    /// `None` after its deletion.
    pub(super) labels: Option<&'a Labels>,
    /// Whether more than one source has it.
    pub(super) shared: bool,
    /// The previous version, if a complete stream has both in a row.
    pub(super) before: Option<&'a ResourceVersion>,
    digest: Option<u64>,
}

impl<'a> VersionHistories<'a> {
    /// Joins the writes and streams of one collection, and finds streams that contradict the others.
    pub(super) fn of(writes: &[&'a Write], streams: &[&'a Stream], found: &mut [Findings]) -> Self {
        let mut version_history = Self::default();
        for write in writes {
            version_history.kind = Some(&write.kind);
            let history = version_history.objects.entry(&write.key).or_default();
            let state = VersionState {
                labels: Some(&write.labels),
                shared: true,
                before: None,
                digest: write.digest,
            };
            history.states.entry(&write.version).or_insert(state);
            history.writes.push(write);
        }
        for (stream, found) in streams.iter().zip(found) {
            let mut last = vec![None; stream.objects.all.len()];
            for event in &stream.events {
                let before = last[event.object].replace(&event.version);
                version_history.add(stream, event, before.filter(|_| stream.is_complete()), found);
            }
        }
        for history in version_history.objects.values_mut() {
            history.writes.sort_by_key(|write| write.begun);
            for (place, write) in history.writes.iter().enumerate() {
                if let ResourceVersion::Text(_) = write.version {
                    history.places.entry(&write.version).or_insert(place);
                }
            }
            let numbers =
                history.states.iter().filter_map(|(version, state)| Some((version.number()?, *state)));
            history.ordered = numbers.collect();
            history.ordered.sort_unstable_by_key(|(version, _)| *version);
        }
        version_history
    }

    fn add(
        &mut self,
        stream: &'a Stream,
        event: &'a SeenEvent,
        before: Option<&'a ResourceVersion>,
        found: &mut Findings,
    ) {
        let (labels, digest) = match event.change {
            // The object may only have left the selection.
            WatchEventType::Deleted if stream.watch_request.selector.can_change() => return,
            WatchEventType::Deleted => (None, None),
            _ => (Some(&stream.objects.label_sets[event.labels]), event.digest),
        };
        let before = before.filter(|before| before.before(&event.version));
        let state = VersionState { labels, shared: false, before, digest };
        let key = &stream.objects.all[event.object].key;
        let known = match self.objects.entry(key).or_default().states.entry(&event.version) {
            Entry::Vacant(place) => {
                place.insert(state);
                return;
            }
            Entry::Occupied(known) => known.into_mut(),
        };
        if let (Some(known), Some(event_object)) = (known.digest, state.digest) {
            found.apply(StreamRule::Atomic);
            if known != event_object {
                found.breaks(StreamRule::Atomic, || {
                    let expected =
                        format!("the content of {key} at {} as in other responses and events", event.version);
                    (expected, format!("{} with another content", event.change.name()))
                });
            }
        }
        // A source with labels knows more than a deletion does.
        known.labels = known.labels.or(state.labels);
        known.digest = known.digest.or(state.digest);
        known.shared = true;
        // The nearest: a stream that lost versions in between has one further away.
        known.before = known.before.max(state.before);
    }
}
