//! Checks the scan of events against a parser, on one event in a thousand.

use serde::{Deserialize, Serialize};

use super::event::{ScannedEvent, Type};

/// Scans events, and checks the scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    one_in: u64,
    /// The counts so far.
    pub checks: Checks,
}

/// The counts of scanned events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checks {
    /// All events.
    pub seen: u64,
    /// Events of objects that were also parsed completely.
    pub checked: u64,
    /// Events for which scan and parser disagree.
    pub misread: u64,
}

impl Check {
    /// Checks one event in this number; parses every event if that is 1.
    pub fn one_in(one_in: u64) -> Self {
        Self { one_in: one_in.max(1), checks: Checks::default() }
    }

    /// Reads an event. It parses errors, bookmarks and everything that does not look like an event of an object.
    pub fn look<'a>(&mut self, frame: &'a [u8]) -> ScannedEvent<'a> {
        self.checks.seen += 1;
        let Some(seen) = ScannedEvent::glance(frame) else { return ScannedEvent::parse(frame) };
        // The first event is checked: a server that the scan always misreads is found at once.
        if self.checks.seen % self.one_in != 1 % self.one_in {
            return seen;
        }
        let parsed = ScannedEvent::parse(frame);
        self.checks.checked += 1;
        if !agree(&seen, &parsed) {
            self.checks.misread += 1;
        }
        parsed
    }
}

fn agree(seen: &ScannedEvent<'_>, parsed: &ScannedEvent<'_>) -> bool {
    let same = (seen.kind, &seen.version, seen.stamp, seen.trace)
        == (parsed.kind, &parsed.version, parsed.stamp, parsed.trace);
    same && parsed.kind != Type::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(before: &str) -> String {
        format!(r#"{{"type":"ADDED","object":{{{before}"metadata":{{"name":"a","resourceVersion":"5"}}}}}}"#)
    }

    #[test]
    fn one_in_so_many_is_checked_and_the_first_among_them() {
        let mut check = Check::one_in(10);
        let event = event("");
        let versions: Vec<_> = (0..21).map(|_| check.look(event.as_bytes()).version.into_owned()).collect();
        assert_eq!(check.checks, Checks { seen: 21, checked: 3, misread: 0 });
        assert!(versions.iter().all(|version| version == "5"));
    }

    #[test]
    fn an_event_that_a_glance_misreads_is_counted_and_read_rightly() {
        let mut check = Check::one_in(1);
        let misleading = event(r#""data":{"kube-assay/stamp":"0.1"},"#);
        assert_eq!(check.look(misleading.as_bytes()).stamp, None);
        assert_eq!((check.checks.checked, check.checks.misread), (1, 1));
    }
}
