//! A checker for very many watches of very many events: which writes one watcher has seen, in a few bytes, and what
//! became of those that it has not.
//!
//! Writes are numbered by who makes them and carry their number, so that nothing else of an event need be read. A server
//! sends what it has committed in that order, which need not be the order of the numbers: writes to different objects
//! overlap. So a later number alone proves nothing. A write is *lost* when the watcher has seen another that was sent only
//! after this one was acknowledged; it is *out of order* when it comes behind a later one to the same object.

/// What is known of writes that are numbered in the order in which they were begun. Instants are microseconds since
/// some epoch, and never 0.
pub trait Numbered {
    /// How many there are so far.
    fn issued(&self) -> u32;

    /// The next write to the same object, if there is one yet.
    fn after(&self, sequence: u32) -> Option<u32>;

    /// When it was sent; 0 if it was not.
    fn sent_at(&self, sequence: u32) -> u64;

    /// How it has ended so far.
    fn settled(&self, sequence: u32) -> Settled;
}

/// How a write has ended so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It is under way, or was never sent.
    Open,
    /// The server has it since this instant.
    Acknowledged(u64),
    /// The server refused it: nobody will see it.
    Failed,
    /// There was no response: some may see it.
    Unknown,
}

/// So many writes may be seen ahead of one that is missing before that one is set aside.
const AHEAD: usize = 256;

/// The writes that one watcher has seen.
#[derive(Debug, Default)]
pub struct DeliveryTracker {
    /// All below were seen, but for the missing.
    next: u32,
    /// Seen beyond `next`, ascending. Mostly empty.
    ahead: Vec<u32>,
    /// Not seen although far behind, ascending. Mostly empty.
    missing: Vec<u32>,
    /// The greatest that was seen, plus one.
    seen_below: u32,
    /// What was sent before this instant may be part of the list that it began anew from.
    listed: u64,
}

/// How a write came to a watcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// For the first time, and in order.
    Fresh,
    /// For the first time, behind a later one to the same object.
    Reordered,
    /// Not for the first time.
    Repeated,
}

/// What became of a write that a watcher has not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// It will not come.
    Lost,
    /// It may still come.
    Pending,
    /// It is part of a list.
    Skipped,
}

impl DeliveryTracker {
    /// A write has come.
    pub fn arrive(&mut self, sequence: u32, writes: &impl Numbered) -> Arrival {
        self.seen_below = self.seen_below.max(sequence.saturating_add(1));
        if sequence == self.next && self.ahead.is_empty() {
            self.next += 1;
            return Arrival::Fresh;
        }
        if self.has(sequence) {
            return Arrival::Repeated;
        }
        let overtaken = writes.after(sequence).is_some_and(|later| self.has(later));
        self.put(sequence);
        self.set_aside(writes);
        if overtaken { Arrival::Reordered } else { Arrival::Fresh }
    }

    /// The watcher began anew from a list that was asked for when all below were settled, and read until an instant.
    /// Returns how many writes it will not see for that, of those from a first on.
    pub fn begin_anew(
        &mut self,
        (settled_below, read_until): (u32, u64),
        first: u32,
        writes: &impl Numbered,
    ) -> u64 {
        let passed = self.next.max(first)..settled_below;
        let unseen = passed.filter(|sequence| {
            let acknowledged = matches!(writes.settled(*sequence), Settled::Acknowledged(_));
            acknowledged && self.ahead.binary_search(sequence).is_err()
        });
        let skipped = unseen.count() as u64;
        self.next = self.next.max(settled_below);
        let next = self.next;
        self.ahead.retain(|sequence| *sequence >= next);
        self.listed = read_until;
        self.go_on();
        skipped
    }

    /// What became of every write that it has not seen, of those from a first on.
    pub fn absences<'a>(
        &'a self,
        first: u32,
        writes: &'a impl Numbered,
    ) -> impl Iterator<Item = (u32, Absence)> + 'a {
        let last_seen = self.seen_below.checked_sub(1).map_or(0, |last| writes.sent_at(last));
        let behind = self.missing.iter().copied();
        let beyond =
            (self.next..writes.issued()).filter(|sequence| self.ahead.binary_search(sequence).is_err());
        behind.chain(beyond).filter(move |sequence| *sequence >= first).filter_map(move |sequence| {
            let Settled::Acknowledged(at) = writes.settled(sequence) else { return None };
            Some((sequence, self.absence(writes.sent_at(sequence), at, last_seen)))
        })
    }

    fn absence(&self, sent: u64, acknowledged: u64, last_seen: u64) -> Absence {
        if sent <= self.listed {
            Absence::Skipped
        } else if acknowledged < last_seen {
            Absence::Lost
        } else {
            Absence::Pending
        }
    }

    fn has(&self, sequence: u32) -> bool {
        if sequence < self.next {
            self.missing.binary_search(&sequence).is_err()
        } else {
            self.ahead.binary_search(&sequence).is_ok()
        }
    }

    fn put(&mut self, sequence: u32) {
        if let Ok(place) = self.missing.binary_search(&sequence) {
            self.missing.remove(place);
        } else if let Err(place) = self.ahead.binary_search(&sequence) {
            self.ahead.insert(place, sequence);
            self.go_on();
        }
    }

    /// Moves `next` over all that was seen.
    fn go_on(&mut self) {
        let seen = self.ahead.iter().zip(self.next..).take_while(|(ahead, next)| *ahead == next).count();
        self.ahead.drain(..seen);
        self.next += u32::try_from(seen).unwrap_or(0);
        if self.ahead.is_empty() {
            self.ahead = Vec::new();
        }
    }

    /// What is missing for long no longer holds up the rest.
    fn set_aside(&mut self, writes: &impl Numbered) {
        while self.ahead.len() > AHEAD {
            if writes.settled(self.next) != Settled::Failed {
                self.missing.push(self.next);
            }
            self.next += 1;
            self.go_on();
        }
    }
}

#[cfg(test)]
#[path = "tests/delivery_tracker.rs"]
mod tests;
