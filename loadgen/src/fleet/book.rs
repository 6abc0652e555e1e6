//! Which writes one watcher has seen, in a few bytes, and what became of those that it has not.
//!
//! A server sends what it has committed in that order, which need not be the order of the stamps: writes to different
//! objects overlap. So a later stamp alone proves nothing. A write is *lost* when the watcher has seen another that was
//! sent only after this one was acknowledged; it is *out of order* when it comes behind a later one to the same object.

use crate::stamp::{Settled, Stamps};

/// So many writes may be seen ahead of one that is missing before that one is set aside.
const AHEAD: usize = 256;

/// The writes that one watcher has seen.
#[derive(Debug, Default)]
pub(super) struct Book {
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
pub(super) enum Arrival {
    /// For the first time, and in order.
    Fresh,
    /// For the first time, behind a later one to the same object.
    Reordered,
    /// Not for the first time.
    Repeated,
}

/// What became of a write that a watcher has not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absence {
    /// It will not come.
    Lost,
    /// It may come; it was sent, and acknowledged, at these instants.
    Pending,
    /// It is part of a list.
    Skipped,
}

impl Book {
    /// A write has come.
    pub(super) fn arrive(&mut self, sequence: u32, stamps: &Stamps) -> Arrival {
        self.seen_below = self.seen_below.max(sequence.saturating_add(1));
        if sequence == self.next && self.ahead.is_empty() {
            self.next += 1;
            return Arrival::Fresh;
        }
        if self.has(sequence) {
            return Arrival::Repeated;
        }
        let overtaken = stamps.after(sequence).is_some_and(|later| self.has(later));
        self.put(sequence);
        self.set_aside(stamps);
        if overtaken { Arrival::Reordered } else { Arrival::Fresh }
    }

    /// The watcher began anew from a list that was asked for when all below were settled, and read until an instant.
    /// Returns how many writes it will not see for that, of those from a first on.
    pub(super) fn begin_anew(
        &mut self,
        (settled_below, read_until): (u32, u64),
        first: u32,
        stamps: &Stamps,
    ) -> u64 {
        let passed = self.next.max(first)..settled_below;
        let unseen = passed.filter(|sequence| {
            let acknowledged = matches!(stamps.settled(*sequence), Settled::Acknowledged(_));
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
    pub(super) fn absences<'a>(
        &'a self,
        first: u32,
        stamps: &'a Stamps,
    ) -> impl Iterator<Item = (u32, Absence)> + 'a {
        let last_seen = self.seen_below.checked_sub(1).map_or(0, |last| stamps.sent_at(last));
        let behind = self.missing.iter().copied();
        let beyond =
            (self.next..stamps.issued()).filter(|sequence| self.ahead.binary_search(sequence).is_err());
        behind.chain(beyond).filter(move |sequence| *sequence >= first).filter_map(move |sequence| {
            let Settled::Acknowledged(at) = stamps.settled(sequence) else { return None };
            Some((sequence, self.absence(stamps.sent_at(sequence), at, last_seen)))
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
    fn set_aside(&mut self, stamps: &Stamps) {
        while self.ahead.len() > AHEAD {
            if stamps.settled(self.next) != Settled::Failed {
                self.missing.push(self.next);
            }
            self.next += 1;
            self.go_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// So many writes to objects in turn, each sent and acknowledged one after the other.
    fn written(count: u32, objects: u32) -> Stamps {
        let stamps = Stamps::new(0, objects as usize);
        let began = Instant::now();
        for number in 0..count {
            let at = |part| began + std::time::Duration::from_millis(u64::from(number) * 10 + part);
            let stamp = stamps.issue((number % objects) as usize, at(0)).unwrap();
            stamps.sent(stamp, at(1));
            stamps.acknowledged(stamp, at(5));
        }
        stamps
    }

    fn absences(book: &Book, stamps: &Stamps) -> Vec<(u32, Absence)> {
        book.absences(0, stamps).collect()
    }

    #[test]
    fn what_comes_in_order_costs_nothing() {
        let (stamps, mut book) = (written(1_000, 3), Book::default());
        for sequence in 0..1_000 {
            assert_eq!(book.arrive(sequence, &stamps), Arrival::Fresh);
        }
        assert_eq!((book.ahead.capacity(), book.missing.capacity()), (0, 0));
        assert_eq!(absences(&book, &stamps), []);
    }

    #[test]
    fn what_is_overtaken_by_another_object_is_in_order_and_by_its_own_is_not() {
        let (stamps, mut book) = (written(4, 2), Book::default());
        let arrivals = [1, 0, 3, 2].map(|sequence| book.arrive(sequence, &stamps));
        assert_eq!(arrivals, [Arrival::Fresh; 4]);
        let mut book = Book::default();
        let arrivals = [2, 0, 1, 0].map(|sequence| book.arrive(sequence, &stamps));
        assert_eq!(arrivals, [Arrival::Fresh, Arrival::Reordered, Arrival::Fresh, Arrival::Repeated]);
        assert_eq!(absences(&book, &stamps), [(3, Absence::Pending)]);
    }

    #[test]
    fn what_a_later_write_has_passed_is_lost_and_the_rest_is_pending() {
        let (stamps, mut book) = (written(6, 6), Book::default());
        for sequence in [0, 1, 3] {
            book.arrive(sequence, &stamps);
        }
        let expected = [(2, Absence::Lost), (4, Absence::Pending), (5, Absence::Pending)];
        assert_eq!(absences(&book, &stamps), expected);
        assert_eq!(book.absences(3, &stamps).count(), 2, "of those that count");
    }

    #[test]
    fn what_failed_is_not_expected() {
        let (stamps, mut book) = (Stamps::new(0, 1), Book::default());
        let stamp = stamps.issue(0, Instant::now()).unwrap();
        stamps.failed(stamp);
        assert_eq!(absences(&book, &stamps), []);
        assert_eq!(book.arrive(0, &stamps), Arrival::Fresh, "a server may have done it all the same");
    }

    #[test]
    fn one_that_is_missing_for_long_is_set_aside_and_may_still_come() {
        let (stamps, mut book) = (written(1_000, 1_000), Book::default());
        for sequence in 1..1_000 {
            book.arrive(sequence, &stamps);
        }
        assert!(book.ahead.is_empty());
        assert_eq!(absences(&book, &stamps), [(0, Absence::Lost)]);
        assert_eq!(book.arrive(0, &stamps), Arrival::Fresh);
        assert_eq!(book.arrive(0, &stamps), Arrival::Repeated);
        assert_eq!(absences(&book, &stamps), []);
    }

    #[test]
    fn what_a_new_list_holds_is_skipped() {
        let (stamps, mut book) = (written(6, 6), Book::default());
        book.arrive(0, &stamps);
        assert_eq!(book.begin_anew((2, stamps.sent_at(3)), 0, &stamps), 1);
        book.arrive(5, &stamps);
        assert_eq!(
            absences(&book, &stamps),
            [(2, Absence::Skipped), (3, Absence::Skipped), (4, Absence::Lost)]
        );
    }
}
