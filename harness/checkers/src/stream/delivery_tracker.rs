//! A checker for very many watches of very many events: which writes one watch has received, in a few bytes, and the
//! fate of the others.
//!
//! The writer numbers its writes, and each carries its number: a checker reads nothing else of an event. A server sends
//! events in the order of its commits, which may differ from that of the numbers: writes to different objects overlap.
//! So a later number alone proves nothing. A write is *lost* when the watch has received another that was sent after
//! the acknowledgement of this one; it is *out of order* when it follows a later one to the same object, which was sent after
//! its response.

/// Writes, numbered in the order of their starts. Instants are microseconds since some epoch, and never 0.
pub trait Numbered {
    /// The number of writes so far.
    fn issued(&self) -> u32;

    /// The next write to the same object, if any.
    fn after(&self, sequence: u32) -> Option<u32>;

    /// When it was sent; 0 if it was not.
    fn sent_at(&self, sequence: u32) -> u64;

    /// Its outcome so far.
    fn settled(&self, sequence: u32) -> Settled;
}

/// The outcome of a write so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It is pending, or was never sent.
    Open,
    /// The server acknowledged it at this instant.
    Acknowledged(u64),
    /// The server refused it: no watch will receive it.
    Failed,
    /// No response arrived: watches may receive it.
    Unknown,
}

/// The number of writes received ahead of a missing one, before the tracker sets the missing one aside.
const AHEAD: usize = 256;

/// The writes that one watch has received.
#[derive(Debug, Default)]
pub struct DeliveryTracker {
    /// All below were received, except for `missing`.
    next: u32,
    /// Received beyond `next`, ascending. Mostly empty.
    ahead: Vec<u32>,
    /// Not received although far behind, ascending. Mostly empty.
    missing: Vec<u32>,
    /// The greatest received number, plus one.
    seen_below: u32,
    /// Writes up to this instant may be in the list from which the watch began anew.
    listed: u64,
    /// Not received before a later write to the same object, which names them. Mostly empty.
    overtaken: Vec<u32>,
}

/// The arrival of a write at a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// The first one, in order.
    Fresh,
    /// The first one, after a later write to the same object.
    Reordered,
    /// A repeated one.
    Repeated,
}

/// The fate of a write that a watch has not received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// It will not arrive.
    Lost,
    /// It may still arrive.
    Pending,
    /// It is in a list.
    Skipped,
}

impl DeliveryTracker {
    /// Records the arrival of a write.
    pub fn arrive(&mut self, sequence: u32, writes: &impl Numbered) -> Arrival {
        self.seen_below = self.seen_below.max(sequence.saturating_add(1));
        if sequence == self.next && self.ahead.is_empty() {
            self.next += 1;
            return Arrival::Fresh;
        }
        if self.has(sequence) {
            return Arrival::Repeated;
        }
        // The server may carry a write without a response out after the next one.
        let overtaken = writes.settled(sequence) != Settled::Unknown
            && writes.after(sequence).is_some_and(|later| self.has(later));
        self.put(sequence);
        self.set_aside(writes);
        if overtaken { Arrival::Reordered } else { Arrival::Fresh }
    }

    /// Records the arrival of a write that names the write before it to the same object, if any: the next ones are not
    /// known yet.
    pub fn arrive_after(&mut self, sequence: u32, before: Option<u32>, writes: &impl Numbered) -> Arrival {
        let arrival = self.arrive(sequence, writes);
        if arrival == Arrival::Repeated {
            return arrival;
        }
        if let Some(before) = before.filter(|before| !self.has(*before)) {
            self.overtaken.push(before);
        }
        match self.overtaken.iter().position(|overtaken| *overtaken == sequence) {
            Some(place) => {
                self.overtaken.swap_remove(place);
                Arrival::Reordered
            }
            None => arrival,
        }
    }

    /// The watch began anew from a list: all writes below a number were settled before its request, and its response
    /// ended at an instant. Returns the number of writes from `first` on that the watch therefore skips.
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
        // The list has the missing writes.
        self.overtaken = Vec::new();
        self.advance();
        skipped
    }

    /// The fate of every write from `first` on that the watch has not received.
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
            self.advance();
        }
    }

    /// Moves `next` past all received writes.
    fn advance(&mut self) {
        let received = self.ahead.iter().zip(self.next..).take_while(|(ahead, next)| *ahead == next).count();
        self.ahead.drain(..received);
        self.next += u32::try_from(received).unwrap_or(0);
        if self.ahead.is_empty() {
            self.ahead = Vec::new();
        }
    }

    /// Sets long-missing writes aside, so that they no longer hold up the others.
    fn set_aside(&mut self, writes: &impl Numbered) {
        while self.ahead.len() > AHEAD {
            if writes.settled(self.next) != Settled::Failed {
                self.missing.push(self.next);
            }
            self.next += 1;
            self.advance();
        }
    }
}

#[cfg(test)]
#[path = "tests/delivery_tracker.rs"]
mod tests;
