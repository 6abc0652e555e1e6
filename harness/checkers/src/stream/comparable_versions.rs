//! Compares one stream with the version history of its collection, where versions are comparable.

use std::collections::HashMap;

use super::breach::{Findings, StreamRule};
use super::checker::Stream;
use super::event::WatchEventType;
use super::version_history::{History, VersionHistories, VersionState};
use super::watch_request::Start;

/// The events of one object, by version.
type ObjectEvents = Vec<(u64, WatchEventType)>;

/// The stream must have every change of its selection between its start and its last read event.
pub(super) fn compare(stream: &Stream, version_history: &VersionHistories<'_>, found: &mut Findings) {
    if let (Some(kind), false) = (version_history.kind, stream.kind.is_empty())
        && kind != stream.kind
    {
        let texts = || (format!("objects of kind {kind}"), format!("kind {}", stream.kind));
        found.breaks(StreamRule::Typed, texts);
    }
    let Some((from, up_to)) = covered(stream) else { return };
    let by_object = group_by_object(stream);
    let (first, last) = match &stream.watch_request.namespace {
        Some(namespace) => (format!("{namespace}/"), format!("{namespace}0")),
        None => (String::new(), String::from(char::MAX)),
    };
    for (key, history) in version_history.objects.range(first.as_str()..last.as_str()) {
        let events = by_object.get(key).map(Vec::as_slice).unwrap_or_default();
        ObjectStream { stream, from, up_to, key, events }.check(history, found);
    }
}

/// The versions (above, up to) that a stream must cover; `None` if it is out of order or unreadable.
fn covered(stream: &Stream) -> Option<(u64, u64)> {
    let (from, up_to) = (stream.from.as_ref()?.number()?, stream.up_to?);
    let orderly = stream.findings.breach(StreamRule::Ordered).is_none();
    (orderly && !stream.blind && from < up_to).then_some((from, up_to))
}

fn group_by_object(stream: &Stream) -> HashMap<&str, ObjectEvents> {
    let mut by_object: HashMap<&str, ObjectEvents> = HashMap::with_capacity(stream.objects.all.len());
    for event in &stream.events {
        if let Some(version) = event.version.number() {
            let key = stream.objects.all[event.object].key.as_str();
            by_object.entry(key).or_default().push((version, event.change));
        }
    }
    for events in by_object.values_mut() {
        events.sort_by_key(|(version, _)| *version);
    }
    by_object
}

/// The part of a stream about one object.
struct ObjectStream<'a> {
    stream: &'a Stream,
    from: u64,
    up_to: u64,
    key: &'a str,
    events: &'a [(u64, WatchEventType)],
}

impl ObjectStream<'_> {
    fn check(&self, history: &History<'_>, found: &mut Findings) {
        let (mut next, mut last) = (0, None);
        for (version, state) in &history.ordered {
            while let Some(last_change) =
                self.events.get(next).filter(|(last_change, _)| last_change <= version)
            {
                last = Some(*last_change);
                next += 1;
            }
            if self.from < *version && *version <= self.up_to {
                let was = state.before.and_then(|before| history.states.get(before));
                self.compare(*version, state, was.and_then(|was| self.selects(was)), last, found);
            }
        }
    }

    /// Compares the events at a state with the right ones.
    ///
    /// `was` is whether the selection had the previous state, and `last` the last event of the object up to this
    /// version.
    fn compare(
        &self,
        version: u64,
        state: &VersionState<'_>,
        was: Option<bool>,
        last: Option<(u64, WatchEventType)>,
        found: &mut Findings,
    ) {
        let Some(is) = self.selects(state) else { return };
        if state.shared {
            found.apply(StreamRule::Reliable);
        }
        let (key, now) = (self.key, last.filter(|(at, _)| *at == version).map(|(_, change)| change));
        let (rule, expected) = match (was, is, now) {
            (_, true, None) => (self.missing(version), "an event"),
            (_, true, Some(WatchEventType::Deleted)) => {
                (StreamRule::Filtered, "ADDED or MODIFIED, as it is selected")
            }
            (Some(true), true, Some(WatchEventType::Added)) => {
                (StreamRule::Filtered, "MODIFIED, as it was selected before")
            }
            (Some(false), true, Some(WatchEventType::Modified)) => {
                (StreamRule::Filtered, "ADDED, as it enters the selection")
            }
            (Some(true), false, None) => match self.missing(version) {
                StreamRule::Reliable if state.labels.is_some() => {
                    (StreamRule::Filtered, "DELETED, as it leaves the selection")
                }
                missing => (missing, "DELETED"),
            },
            // An object that was not selected before either must have a DELETED event further back.
            (None | Some(true), false, _)
                if matches!(last, Some((_, WatchEventType::Added | WatchEventType::Modified))) =>
            {
                let lost = state.labels.is_none() && now.is_none();
                (if lost { StreamRule::Reliable } else { StreamRule::Filtered }, "DELETED, then or before")
            }
            _ => return,
        };
        let last_change = || match last {
            Some((at, change)) => format!("{} at {at} as its last event so far", change.name()),
            None => "no event of it so far".to_owned(),
        };
        found.breaks(rule, || (format!("{key} at {version}: {expected}"), last_change()));
    }

    /// Whether the stream selects a state; it selects no deleted object.
    fn selects(&self, state: &VersionState<'_>) -> Option<bool> {
        state.labels.map_or(Some(false), |labels| self.stream.selects(self.key, labels))
    }

    /// The rule that a missing change breaks: resuming lost a change before the first event.
    fn missing(&self, version: u64) -> StreamRule {
        let resumed = matches!(self.stream.watch_request.start, Start::After(_));
        let first = self.stream.events.first().and_then(|event| event.version.number());
        if resumed && first.is_none_or(|first| version < first) {
            StreamRule::Resumable
        } else {
            StreamRule::Reliable
        }
    }
}
