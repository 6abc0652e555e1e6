//! Checks the scan of events against a parser, on one event in a thousand.

use super::event::{ScannedEvent, Type};

/// Looks at events, and at itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    one_in: u64,
    /// What came of it so far.
    pub checks: Checks,
}

/// How well events were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checks {
    /// Events that were looked at.
    pub seen: u64,
    /// Events of objects that were parsed as a whole, to check the glance.
    pub checked: u64,
    /// Those where both did not agree.
    pub misread: u64,
}

impl Check {
    /// Checks one event in so many; every event is parsed if that is 1.
    pub fn one_in(one_in: u64) -> Self {
        Self { one_in: one_in.max(1), checks: Checks::default() }
    }

    /// What matters in an event. Errors, bookmarks and all that looks unlike an event of an object are parsed.
    pub fn look<'a>(&mut self, frame: &'a [u8]) -> ScannedEvent<'a> {
        self.checks.seen += 1;
        let Some(seen) = ScannedEvent::glance(frame) else { return ScannedEvent::parse(frame) };
        // The first is looked at: a server that is always misread is found at once.
        if self.checks.seen % self.one_in != 1 % self.one_in {
            return seen;
        }
        let parsed = ScannedEvent::parse(frame);
        self.checks.checked += 1;
        if !agree(&seen, frame, &parsed) {
            self.checks.misread += 1;
        }
        parsed
    }
}

fn agree(seen: &ScannedEvent<'_>, frame: &[u8], parsed: &ScannedEvent<'_>) -> bool {
    let same = (seen.kind, &seen.version, seen.stamp) == (parsed.kind, &parsed.version, parsed.stamp);
    same && ScannedEvent::name_in(frame) == parsed.name && parsed.kind != Type::Unknown
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
        let misleading = event(r#""data":{"resourceVersion":"1"},"#);
        assert_eq!(check.look(misleading.as_bytes()).version, "5");
        assert_eq!((check.checks.checked, check.checks.misread), (1, 1));
    }
}
