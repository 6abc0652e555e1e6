//! Counts of starts, senders, deliveries and watches.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Counts of deliveries: one delivery is one event to one watch.
///
/// `expected = delivered + lost + pending`; a repeated or reordered event was delivered as well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deliveries {
    /// Measured writes, times the watches that should receive them.
    pub expected: u64,
    /// Those that arrived.
    pub delivered: u64,
    /// Lost: the watch received a write that was sent after the acknowledgement of this one.
    pub lost: u64,
    /// Events that a watch received again.
    pub repeated: u64,
    /// Events that a watch received after a later one of the same object.
    pub reordered: u64,
    /// Deliveries that had not arrived at the end of the run.
    pub pending: u64,
}

impl Deliveries {
    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.delivered += other.delivered;
        self.lost += other.lost;
        self.repeated += other.repeated;
        self.reordered += other.reordered;
        self.pending += other.pending;
    }
}

/// The request starts of an open loop: `planned = sent + dropped`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starts {
    /// Starts of the schedule.
    pub planned: u64,
    /// Those that were sent.
    pub sent: u64,
    /// Starts that were sent later than the pace allows, as no connection was free. Their latency counts from the
    /// intended start.
    pub late: u64,
    /// Starts that were never sent.
    pub dropped: u64,
}

impl Starts {
    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.planned += other.planned;
        self.sent += other.sent;
        self.late += other.late;
        self.dropped += other.dropped;
    }
}

/// The senders of a closed loop: each sends its next request when it has the response to the last one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Senders {
    /// The number of planned senders.
    pub planned: u64,
    /// Those that started a request in the measured time.
    pub measured: u64,
}

impl Senders {
    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.planned += other.planned;
        self.measured += other.measured;
    }

    /// Those that started no request in the measured time.
    pub fn idle(&self) -> u64 {
        self.planned.saturating_sub(self.measured)
    }
}

/// Counts of a watch pool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watches {
    /// The number of planned watches.
    pub planned: u64,
    /// The number of watches opened at first.
    pub opened: u64,
    /// The number of watches open at the end of the run.
    pub open: u64,
    /// The number of watches opened again, from the last version or anew.
    pub resumed: u64,
    /// The number of watches that the client did not end, by the reason.
    #[serde(default)]
    pub ended: BTreeMap<Ending, u64>,
    /// The number of connections that they were opened over, those that the server has sent away since included.
    pub connections: u64,
    /// The streams that the server allows on each; `None` if it sets no limit, or each has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<u64>,
}

/// Why a watch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The server closed it properly, as it does on a timeout.
    Closed,
    /// 410: its version had expired.
    Gone,
    /// The server announced that it closes the connection.
    Goaway,
    /// The stream was reset.
    Reset,
    /// The connection broke.
    Cut,
    /// An ERROR event of another kind.
    Error,
    /// The server rejected the watch request.
    Refused,
}

impl Ending {
    /// Its name for readers.
    pub fn word(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Gone => "gone",
            Self::Goaway => "goaway",
            Self::Reset => "reset",
            Self::Cut => "cut",
            Self::Error => "error",
            Self::Refused => "refused",
        }
    }
}

impl Watches {
    /// The number of watches that the client did not end.
    pub fn ended(&self) -> u64 {
        self.ended.values().sum()
    }
}
