//! Checks one stream event by event, and keeps its events for the write log.

use std::collections::HashMap;

use super::breach::{Findings, StreamRule};
use super::event::{Event, EventObject, WatchEventType};
use super::version::ResourceVersion;
use super::watch_request::{Start, WatchRequest};
use model::Breach;

/// A watch that the checkers follow.
#[derive(Debug)]
pub struct Stream {
    pub(super) watch_request: WatchRequest,
    pub(super) findings: Findings,
    pub(super) objects: Objects,
    pub(super) events: Vec<SeenEvent>,
    /// `kind` of the first whole object.
    pub(super) kind: String,
    /// The version above which no change of the selection may be missing.
    pub(super) from: Option<ResourceVersion>,
    /// The highest version in an event or a bookmark.
    pub(super) up_to: Option<u64>,
    /// Whether the stream contained something unreadable, whose content is unknown.
    pub(super) blind: bool,
    /// An event that does not follow from the one before: its type is wrong, unless an event between them is lost.
    pub(super) leap: Option<Breach>,
    /// A deletion that shows another object than the event before.
    pub(super) altered: Option<Breach>,
    highest: Option<u64>,
    bookmark: Option<ResourceVersion>,
    /// Whether the selection is known to lack every object without an event.
    whole: bool,
    /// Whether every further event is a change after the start.
    started: bool,
}

/// One event of an object.
#[derive(Debug)]
pub(super) struct SeenEvent {
    pub(super) object: usize,
    pub(super) change: WatchEventType,
    pub(super) version: ResourceVersion,
    pub(super) labels: usize,
    pub(super) digest: Option<u64>,
}

/// The objects in the events of a stream.
#[derive(Debug, Default)]
pub(super) struct Objects {
    numbers: HashMap<String, usize>,
    pub(super) all: Vec<StreamObject>,
    labels: HashMap<Labels, usize>,
    pub(super) label_sets: Vec<Labels>,
    key: String,
    /// The length of all texts, in bytes.
    size: usize,
}

/// Labels, by name.
pub type Labels = Box<[(Box<str>, Box<str>)]>;

/// The memory that labels take, in bytes.
pub(super) fn size_of_labels(labels: &[(Box<str>, Box<str>)]) -> usize {
    labels.iter().map(|(key, value)| key.len() + value.len() + size_of::<(Box<str>, Box<str>)>()).sum()
}

/// An object as of its last event.
#[derive(Debug)]
pub(super) struct StreamObject {
    /// Namespace and name.
    pub(super) key: String,
    last: Option<(WatchEventType, ResourceVersion)>,
    labels: usize,
    /// What its deletion has to show.
    lasting: Option<u64>,
}

impl Stream {
    /// A stream without events.
    pub fn new(watch_request: WatchRequest) -> Self {
        let (whole, started, from) = match &watch_request.start {
            Start::State => (true, false, None),
            Start::Unclear => (false, false, None),
            Start::After(version) => (false, true, Some(version.clone())),
        };
        Self {
            watch_request,
            findings: Findings::default(),
            objects: Objects::default(),
            events: Vec::new(),
            kind: String::new(),
            from,
            up_to: None,
            blind: false,
            leap: None,
            altered: None,
            highest: None,
            bookmark: None,
            whole,
            started,
        }
    }

    /// Checks the next event.
    pub fn check(&mut self, event: &Event<'_>) {
        self.findings.apply(StreamRule::Typed);
        match event {
            Event::Change(change, event_object) => self.change(*change, event_object),
            Event::Bookmark { version, closes_state, bare } => self.bookmark(version, *closes_state, *bare),
            Event::Error { status } => {
                if !status {
                    let actual = || "another object".to_owned();
                    self.breaks(StreamRule::Typed, "a Status as the object of ERROR", actual);
                }
            }
            Event::Unknown(kind) => {
                // It may have been a change, which is then not missing.
                self.lose_sight();
                let expected = "events of type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR";
                self.breaks(StreamRule::Typed, expected, || format!("type {kind:?}"));
            }
        }
    }

    /// The memory that its events take, in bytes.
    pub(super) fn size(&self) -> usize {
        self.objects.size + self.events.len() * size_of::<SeenEvent>()
    }

    /// Marks the stream as incomplete: it contained something unreadable.
    pub fn lose_sight(&mut self) {
        self.blind = true;
    }

    fn change(&mut self, change: WatchEventType, event_object: &EventObject<'_>) {
        self.check_type(change, event_object);
        if event_object.name.is_empty() || event_object.version.is_empty() {
            return self.lose_sight();
        }
        for rule in [StreamRule::Ordered, StreamRule::Unique, StreamRule::Filtered] {
            self.findings.apply(rule);
        }
        let version = ResourceVersion::of(event_object.version);
        let brief = || format!("{} {} at {version}", change.name(), event_object.name);
        let object = self.objects.number(event_object);
        let last = self.objects.all[object].last.take();
        if let Some((_, last)) = last.as_ref().filter(|(_, last)| *last == version) {
            let expected = format!("{} at {last} once", event_object.name);
            self.breaks(StreamRule::Unique, &expected, || format!("{}, once more", brief()));
        } else {
            self.check_selection(change, event_object, last.as_ref().map(|(change, _)| *change), &brief);
        }
        self.check_start(&version, &brief);
        self.started |= change != WatchEventType::Added || last.is_some();
        self.check_deletion(object, change, event_object, &brief);
        self.check_order(event_object, last.as_ref().map(|(_, version)| version), &version, &brief);
        self.remember(object, change, version, event_object);
    }

    fn check_type(&mut self, change: WatchEventType, event_object: &EventObject<'_>) {
        let partly =
            self.watch_request.partly && matches!(event_object.kind, "Table" | "PartialObjectMetadata");
        if partly {
            return;
        }
        if self.kind.is_empty() {
            event_object.kind.clone_into(&mut self.kind);
        }
        let right = event_object.kind == self.kind && !event_object.kind.is_empty();
        if !right || event_object.api_version != self.watch_request.api_version {
            let kind = if self.kind.is_empty() { "kind" } else { &self.kind };
            let expected =
                format!("{} {kind} as the object of {}", self.watch_request.api_version, change.name());
            self.breaks(StreamRule::Typed, &expected, || {
                format!("{} {}", event_object.api_version, event_object.kind)
            });
        } else if event_object.name.is_empty() || event_object.version.is_empty() {
            let expected = format!("an object with name and resourceVersion in {}", change.name());
            self.breaks(StreamRule::Typed, &expected, || {
                format!("{:?} at {:?}", event_object.name, event_object.version)
            });
        }
    }

    /// `last` is the type of the object's previous event.
    fn check_selection(
        &mut self,
        change: WatchEventType,
        event_object: &EventObject<'_>,
        last: Option<WatchEventType>,
        brief: &dyn Fn() -> String,
    ) {
        let label =
            |key: &str| event_object.labels.iter().find(|(known, _)| *known == key).map(|(_, value)| *value);
        // A DELETED event may have the object as it was or as it is.
        let outside = || match change {
            WatchEventType::Deleted => {
                self.watch_request.namespace.as_ref().is_some_and(|only| only != event_object.namespace)
            }
            _ => {
                self.watch_request.selector.selects(event_object.namespace, event_object.name, label)
                    == Some(false)
            }
        };
        if outside() {
            let actual = || {
                format!("{} in {:?} with labels {:?}", brief(), event_object.namespace, event_object.labels)
            };
            return self.breaks(StreamRule::Filtered, "only objects of the selection", actual);
        }
        let there = match last {
            Some(last) => Some(last != WatchEventType::Deleted),
            None => self.whole.then_some(false),
        };
        let expected = match (there, change) {
            (Some(true), WatchEventType::Added) => "MODIFIED or DELETED for a known object",
            (Some(false), WatchEventType::Modified | WatchEventType::Deleted) => "ADDED for a new object",
            _ => return,
        };
        self.leap.get_or_insert_with(|| {
            let actual = format!("{} {}", brief(), describe_previous(last));
            Breach { expected: expected.to_owned(), actual }
        });
    }

    fn check_start(&mut self, version: &ResourceVersion, brief: &dyn Fn() -> String) {
        if let Start::After(start) = &self.watch_request.start {
            self.findings.apply(StreamRule::Resumable);
            if version.up_to(start) {
                let expected = format!("only changes after {start}, the start of the watch");
                self.breaks(StreamRule::Resumable, &expected, brief);
            }
        }
        if let Some(bookmark) = self.bookmark.clone()
            && version.up_to(&bookmark)
        {
            let expected = format!("only changes after the bookmark at {bookmark}");
            self.breaks(StreamRule::Bookmarkable, &expected, brief);
        }
    }

    /// An object that nothing holds is deleted as the event before shows it. It may also have left a selection.
    fn check_deletion(
        &mut self,
        object: usize,
        change: WatchEventType,
        event_object: &EventObject<'_>,
        brief: &dyn Fn() -> String,
    ) {
        let before = std::mem::replace(&mut self.objects.all[object].lasting, event_object.lasting);
        let deleted = change == WatchEventType::Deleted && !self.watch_request.selector.can_change();
        let both = before.zip(event_object.lasting).filter(|_| deleted);
        if let Some((before, deleted)) = both
            && before != deleted
        {
            self.altered.get_or_insert_with(|| Breach {
                expected: format!("DELETED {} with its last content", event_object.name),
                actual: format!("{} with another content", brief()),
            });
        }
    }

    fn check_order(
        &mut self,
        event_object: &EventObject<'_>,
        last: Option<&ResourceVersion>,
        version: &ResourceVersion,
        brief: &dyn Fn() -> String,
    ) {
        if let Some(last) = last.filter(|last| version.before(last)) {
            let expected = format!("no event of {} older than {last}", event_object.name);
            return self.breaks(StreamRule::Ordered, &expected, brief);
        }
        if let (true, Some(highest), Some(version)) = (self.started, self.highest, version.number())
            && version < highest
        {
            let expected = format!("no change older than {highest}, the version of an earlier event");
            self.breaks(StreamRule::Ordered, &expected, brief);
        }
    }

    fn remember(
        &mut self,
        object: usize,
        change: WatchEventType,
        version: ResourceVersion,
        event_object: &EventObject<'_>,
    ) {
        if self.started && self.from.is_none() {
            self.from = Some(version.clone());
        }
        self.highest = self.highest.max(version.number());
        self.up_to = self.up_to.max(version.number());
        let labels = self.objects.labels(object, event_object.labels);
        self.objects.size += version.size();
        self.objects.all[object].last = Some((change, version.clone()));
        self.events.push(SeenEvent { object, change, version, labels, digest: event_object.digest });
    }

    fn bookmark(&mut self, version: &str, closes_state: bool, bare: bool) {
        if !bare {
            self.breaks(StreamRule::Typed, "only a version in BOOKMARK", || "an object".to_owned());
        }
        if version.is_empty() {
            return self.breaks(StreamRule::Typed, "a version in BOOKMARK", || "no version".to_owned());
        }
        let version = ResourceVersion::of(version);
        self.check_bookmark(&version);
        self.up_to = self.up_to.max(version.number());
        self.whole |= closes_state && self.watch_request.start == Start::Unclear;
        self.started = true;
        self.from.get_or_insert_with(|| version.clone());
        if self.bookmark.as_ref().is_none_or(|bookmark| !version.before(bookmark)) {
            self.bookmark = Some(version);
        }
    }

    /// A watch from an older bookmark would repeat events.
    fn check_bookmark(&mut self, version: &ResourceVersion) {
        self.findings.apply(StreamRule::Bookmarkable);
        if let Some(highest) =
            self.highest.filter(|highest| version.before(&ResourceVersion::Number(*highest)))
        {
            let expected = format!("no bookmark older than {highest}, the version of an earlier event");
            self.breaks(StreamRule::Bookmarkable, &expected, || format!("BOOKMARK at {version}"));
        }
    }

    /// Whether it has every change of the objects in its events.
    pub(super) fn is_complete(&self) -> bool {
        !self.blind && !self.watch_request.selector.can_change()
    }

    /// Whether it selects an object with these labels; `None` if that is unknown.
    pub(super) fn selects(&self, key: &str, labels: &Labels) -> Option<bool> {
        let (namespace, name) = key.split_once('/').unwrap_or_default();
        let label =
            |key: &str| labels.iter().find(|(known, _)| &**known == key).map(|(_, value)| value.as_ref());
        self.watch_request.selector.selects(namespace, name, label)
    }

    fn breaks(&mut self, rule: StreamRule, expected: &str, actual: impl FnOnce() -> String) {
        self.findings.breaks(rule, || (expected.to_owned(), actual()));
    }
}

fn describe_previous(last: Option<WatchEventType>) -> String {
    last.map_or_else(|| "as its first event".to_owned(), |last| format!("after {}", last.name()))
}

impl Objects {
    /// The object's number; a new one for an unknown object.
    fn number(&mut self, event_object: &EventObject<'_>) -> usize {
        self.key.clear();
        for part in [event_object.namespace, "/", event_object.name] {
            self.key.push_str(part);
        }
        if let Some(number) = self.numbers.get(&self.key) {
            return *number;
        }
        let number = self.all.len();
        // The key is in both collections.
        self.size += 2 * (self.key.len() + size_of::<StreamObject>());
        self.numbers.insert(self.key.clone(), number);
        self.all.push(StreamObject { key: self.key.clone(), last: None, labels: usize::MAX, lasting: None });
        number
    }

    /// The number of a set of labels: most events repeat the labels of the object.
    fn labels(&mut self, object: usize, event_object: &[(&str, &str)]) -> usize {
        let known = self.label_sets.get(self.all[object].labels);
        let same = |known: &Labels| {
            known.iter().map(|(key, value)| (&**key, &**value)).eq(event_object.iter().copied())
        };
        if !known.is_some_and(same) {
            let labels: Labels =
                event_object.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
            let next = self.label_sets.len();
            let number = *self.labels.entry(labels.clone()).or_insert(next);
            if number == next {
                self.size += 2 * size_of_labels(&labels);
                self.label_sets.push(labels);
            }
            self.all[object].labels = number;
        }
        self.all[object].labels
    }
}
