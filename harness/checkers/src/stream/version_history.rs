//! All that is known of one collection: from acknowledged writes, and from what every stream told.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::breach::{Findings, StreamRule};
use super::checker::{Labels, SeenEvent, Stream};
use super::event::WatchEventType;
use super::version::Mark;
use super::write::Write;

/// The states of the objects of one collection.
#[derive(Debug, Default)]
pub(super) struct VersionHistories<'a> {
    /// By namespace and name.
    pub(super) objects: BTreeMap<&'a str, History<'a>>,
    /// The type's `kind`, as acknowledged.
    pub(super) kind: Option<&'a str>,
}

/// The states of one object.
#[derive(Debug, Default)]
pub(super) struct History<'a> {
    pub(super) states: HashMap<&'a Mark, State<'a>>,
    /// Those whose versions can be compared, in order.
    pub(super) ordered: Vec<(u64, State<'a>)>,
    /// The writes, in the order in which they were sent.
    pub(super) writes: Vec<&'a Write>,
    /// Where among them those stand whose versions cannot be compared.
    pub(super) places: HashMap<&'a Mark, usize>,
}

/// One state of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct State<'a> {
    /// `None` once it is gone.
    pub(super) labels: Option<&'a Labels>,
    /// Whether more than one source tells of it.
    pub(super) shared: bool,
    /// The version before, where a stream that tells everything has told both in a row.
    pub(super) before: Option<&'a Mark>,
    digest: Option<u64>,
}

impl<'a> VersionHistories<'a> {
    /// Puts together what writes and streams of one collection say, and finds where streams contradict it.
    pub(super) fn of(writes: &[&'a Write], streams: &[&'a Stream], found: &mut [Findings]) -> Self {
        let mut version_history = Self::default();
        for write in writes {
            version_history.kind = Some(&write.kind);
            let history = version_history.objects.entry(&write.key).or_default();
            let state =
                State { labels: Some(&write.labels), shared: true, before: None, digest: write.digest };
            history.states.entry(&write.version).or_insert(state);
            history.writes.push(write);
        }
        for (stream, found) in streams.iter().zip(found) {
            let mut last = vec![None; stream.objects.all.len()];
            for event in &stream.events {
                let before = last[event.object].replace(&event.version);
                version_history.take_in(stream, event, before.filter(|_| stream.tells_all()), found);
            }
        }
        for history in version_history.objects.values_mut() {
            history.writes.sort_by_key(|write| write.begun);
            for (place, write) in history.writes.iter().enumerate() {
                if let Mark::Text(_) = write.version {
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

    fn take_in(
        &mut self,
        stream: &'a Stream,
        event: &'a SeenEvent,
        before: Option<&'a Mark>,
        found: &mut Findings,
    ) {
        let (labels, digest) = match event.change {
            // It may only have left the selection.
            WatchEventType::Deleted if stream.watch_request.selector.can_change() => return,
            WatchEventType::Deleted => (None, None),
            _ => (Some(&stream.objects.label_sets[event.labels]), event.digest),
        };
        let before = before.filter(|before| before.before(&event.version));
        let state = State { labels, shared: false, before, digest };
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
                    let expected = format!("the content of {key} at {} as shown elsewhere", event.version);
                    (expected, format!("{} with another content", event.change.name()))
                });
            }
        }
        // Who shows it alive tells most.
        known.labels = known.labels.or(state.labels);
        known.digest = known.digest.or(state.digest);
        known.shared = true;
        // The nearest: a stream that has lost what lies between names one further away.
        known.before = known.before.max(state.before);
    }
}
