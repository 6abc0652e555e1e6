//! Compares the streams and writes of one object with each other, where versions are opaque.
//!
//! A write that was sent after the response to another one follows it; no other order is known. Two complete streams
//! have the same successor of a version.

use std::collections::{HashMap, HashSet};

use super::breach::{Findings, StreamRule};
use super::checker::Stream;
use super::version::ResourceVersion;
use super::version_history::{History, VersionHistories};

/// The successor of each version of an object, from complete streams.
#[derive(Debug, Default)]
pub(super) struct Agreement<'a>(HashMap<(&'a str, &'a ResourceVersion), &'a ResourceVersion>);

impl<'a> Agreement<'a> {
    /// Compares the events of each object with the known versions.
    pub(super) fn check(
        &mut self,
        stream: &'a Stream,
        version_history: &VersionHistories<'a>,
        found: &mut Findings,
    ) {
        let mut by_object: HashMap<&'a str, Vec<&'a ResourceVersion>> = HashMap::new();
        for event in &stream.events {
            if let ResourceVersion::Text(_) = event.version {
                by_object.entry(&stream.objects.all[event.object].key).or_default().push(&event.version);
            }
        }
        for (key, versions) in by_object {
            let Some(history) = version_history.objects.get(key) else { continue };
            check_unique(key, &versions, found);
            for pair in versions.windows(2) {
                history.check_pair(key, pair[0], pair[1], stream, found);
                if stream.is_complete() {
                    self.check_successor(key, pair[0], pair[1], found);
                }
            }
        }
    }

    fn check_successor(
        &mut self,
        key: &'a str,
        version: &'a ResourceVersion,
        next: &'a ResourceVersion,
        found: &mut Findings,
    ) {
        let next_version = *self.0.entry((key, version)).or_insert(next);
        if next_version != next {
            let expected = format!("{key} at {next_version} after {version}, as in another watch");
            found.breaks(StreamRule::Reliable, || (expected, next.to_string()));
        }
    }
}

fn check_unique(key: &str, versions: &[&ResourceVersion], found: &mut Findings) {
    let mut seen = HashSet::new();
    if let Some(again) = versions.iter().find(|version| !seen.insert(**version)) {
        found.breaks(StreamRule::Unique, || {
            (format!("{key} at {again} once"), "the same version again".to_owned())
        });
    }
}

impl History<'_> {
    /// Checks that one version may directly follow another.
    fn check_pair(
        &self,
        key: &str,
        version: &ResourceVersion,
        next: &ResourceVersion,
        stream: &Stream,
        found: &mut Findings,
    ) {
        let (Some(this), Some(then)) = (self.places.get(version), self.places.get(next)) else { return };
        found.apply(StreamRule::Reliable);
        let (first, second) = (self.writes[*this], self.writes[*then]);
        if second.returned < first.begun {
            let expected = format!("no event of {key} older than {version}");
            return found
                .breaks(StreamRule::Ordered, || (expected, format!("{next}, which was written before")));
        }
        let between = self.writes.get(this + 1..*then).unwrap_or_default().iter().find(|write| {
            first.returned < write.begun
                && write.returned < second.begun
                && ![version, next].contains(&&write.version)
                && stream.selects(&write.key, &write.labels) == Some(true)
        });
        if let Some(missing) = between {
            let expected = format!("{key} at {} between {version} and {next}", missing.version);
            found.breaks(StreamRule::Reliable, || (expected, "no event".to_owned()));
        }
    }
}
