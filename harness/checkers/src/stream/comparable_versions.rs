//! Checks one stream against the history of its collection, where versions can be compared.

use std::collections::HashMap;

use super::breach::{Findings, StreamRule};
use super::checker::Stream;
use super::event::WatchEventType;
use super::version_history::{History, State, VersionHistories};
use super::watch_request::Start;

/// What a stream told of one object, by version.
type Line = Vec<(u64, WatchEventType)>;

/// The stream must have told every change of its selection between its start and what it was read up to.
pub(super) fn testify(stream: &Stream, version_history: &VersionHistories<'_>, found: &mut Findings) {
    if let (Some(kind), false) = (version_history.kind, stream.kind.is_empty())
        && kind != stream.kind
    {
        let words = || (format!("objects of kind {kind}"), format!("kind {}", stream.kind));
        found.breaks(StreamRule::Typed, words);
    }
    let Some((from, up_to)) = covered(stream) else { return };
    let lines = lines(stream);
    let (first, last) = match &stream.watch_request.namespace {
        Some(namespace) => (format!("{namespace}/"), format!("{namespace}0")),
        None => (String::new(), String::from(char::MAX)),
    };
    for (key, history) in version_history.objects.range(first.as_str()..last.as_str()) {
        let line = lines.get(key).map(Vec::as_slice).unwrap_or_default();
        Witness { stream, from, up_to, key, line }.hear(history, found);
    }
}

/// From above which version up to which a stream must be complete; where it is out of order, that cannot be told.
fn covered(stream: &Stream) -> Option<(u64, u64)> {
    let (from, up_to) = (stream.from.as_ref()?.number()?, stream.up_to?);
    let orderly = stream.findings.breach(StreamRule::Ordered).is_none();
    (orderly && !stream.blind && from < up_to).then_some((from, up_to))
}

fn lines(stream: &Stream) -> HashMap<&str, Line> {
    let mut lines: HashMap<&str, Line> = HashMap::with_capacity(stream.objects.all.len());
    for event in &stream.events {
        if let Some(version) = event.version.number() {
            let key = stream.objects.all[event.object].key.as_str();
            lines.entry(key).or_default().push((version, event.change));
        }
    }
    for line in lines.values_mut() {
        line.sort_by_key(|(version, _)| *version);
    }
    lines
}

/// What a stream says of one object.
struct Witness<'a> {
    stream: &'a Stream,
    from: u64,
    up_to: u64,
    key: &'a str,
    line: &'a [(u64, WatchEventType)],
}

impl Witness<'_> {
    fn hear(&self, history: &History<'_>, found: &mut Findings) {
        let (mut next, mut last) = (0, None);
        for (version, state) in &history.ordered {
            while let Some(last_change) =
                self.line.get(next).filter(|(last_change, _)| last_change <= version)
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

    /// Compares what received a state with what should have been.
    ///
    /// `was` is whether the state before was selected, and `last` what was told last of the object, at this version or
    /// before.
    fn compare(
        &self,
        version: u64,
        state: &State<'_>,
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
            (_, true, None) => (self.missing(version), "its change"),
            (_, true, Some(WatchEventType::Deleted)) => {
                (StreamRule::Filtered, "ADDED or MODIFIED, for it is selected")
            }
            (Some(true), true, Some(WatchEventType::Added)) => {
                (StreamRule::Filtered, "MODIFIED, for it was selected before")
            }
            (Some(false), true, Some(WatchEventType::Modified)) => {
                (StreamRule::Filtered, "ADDED, for it enters the selection")
            }
            (Some(true), false, None) => match self.missing(version) {
                StreamRule::Reliable if state.labels.is_some() => {
                    (StreamRule::Filtered, "DELETED, for it leaves the selection")
                }
                missing => (missing, "DELETED"),
            },
            // Where it was not selected before either, it had to be told earlier.
            (None | Some(true), false, _)
                if matches!(last, Some((_, WatchEventType::Added | WatchEventType::Modified))) =>
            {
                let lost = state.labels.is_none() && now.is_none();
                (if lost { StreamRule::Reliable } else { StreamRule::Filtered }, "DELETED, then or before")
            }
            _ => return,
        };
        let last_change = || match last {
            Some((at, change)) => format!("{} at {at} as the last of it up to then", change.name()),
            None => "nothing of it up to then".to_owned(),
        };
        found.breaks(rule, || (format!("of {key} at {version}: {expected}"), last_change()));
    }

    /// Whether the stream selects a state; what is gone is not.
    fn selects(&self, state: &State<'_>) -> Option<bool> {
        state.labels.map_or(Some(false), |labels| self.stream.selects(self.key, labels))
    }

    /// What is missing at the very beginning was lost by resuming.
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
