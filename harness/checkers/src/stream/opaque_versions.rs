//! Checks the streams and writes of one object against each other, where versions are opaque.
//!
//! A write that was sent after another one had been answered comes after it: that is all the order there is. And two
//! streams that tell everything name the same successor of a version.

use std::collections::{HashMap, HashSet};

use super::breach::{Findings, StreamRule};
use super::checker::Stream;
use super::version::Mark;
use super::version_history::{History, VersionHistories};

/// What comes next after a version of an object, as streams that tell everything say.
#[derive(Debug, Default)]
pub(super) struct Agreement<'a>(HashMap<(&'a str, &'a Mark), &'a Mark>);

impl<'a> Agreement<'a> {
    /// Compares what a stream told of each object with what is known.
    pub(super) fn hear(
        &mut self,
        stream: &'a Stream,
        version_history: &VersionHistories<'a>,
        found: &mut Findings,
    ) {
        let mut lines: HashMap<&'a str, Vec<&'a Mark>> = HashMap::new();
        for event in &stream.events {
            if let Mark::Text(_) = event.version {
                lines.entry(&stream.objects.all[event.object].key).or_default().push(&event.version);
            }
        }
        for (key, line) in lines {
            let Some(history) = version_history.objects.get(key) else { continue };
            comes_once(key, &line, found);
            for pair in line.windows(2) {
                history.allow(key, pair[0], pair[1], stream, found);
                if stream.tells_all() {
                    self.agrees(key, pair[0], pair[1], found);
                }
            }
        }
    }

    fn agrees(&mut self, key: &'a str, version: &'a Mark, next: &'a Mark, found: &mut Findings) {
        let next_version = *self.0.entry((key, version)).or_insert(next);
        if next_version != next {
            let expected = format!("{key} at {next_version} after {version}, as another watch says");
            found.breaks(StreamRule::Reliable, || (expected, next.to_string()));
        }
    }
}

fn comes_once(key: &str, line: &[&Mark], found: &mut Findings) {
    let mut seen = HashSet::new();
    if let Some(again) = line.iter().find(|version| !seen.insert(**version)) {
        found.breaks(StreamRule::Unique, || {
            (format!("{key} at {again} once"), "that version again".to_owned())
        });
    }
}

impl History<'_> {
    /// Whether one version may be told right after another.
    fn allow(&self, key: &str, version: &Mark, next: &Mark, stream: &Stream, found: &mut Findings) {
        let (Some(this), Some(then)) = (self.places.get(version), self.places.get(next)) else { return };
        found.apply(StreamRule::Reliable);
        let (first, second) = (self.writes[*this], self.writes[*then]);
        if second.answered < first.begun {
            let expected = format!("nothing of {key} older than {version}");
            return found
                .breaks(StreamRule::Ordered, || (expected, format!("{next}, which was written before")));
        }
        let between = self.writes.get(this + 1..*then).unwrap_or_default().iter().find(|write| {
            first.answered < write.begun
                && write.answered < second.begun
                && ![version, next].contains(&&write.version)
                && stream.selects(&write.key, &write.labels) == Some(true)
        });
        if let Some(missing) = between {
            let expected = format!("{key} at {} between {version} and {next}", missing.version);
            found.breaks(StreamRule::Reliable, || (expected, "nothing".to_owned()));
        }
    }
}
