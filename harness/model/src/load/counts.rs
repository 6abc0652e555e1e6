//! Counts of what was planned, sent, delivered and open.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One delivery is one event that one watcher is to have.
///
/// `expected = delivered + lost + pending`; what was repeated or out of order was delivered as well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deliveries {
    /// Writes that count, times the watchers that were to see them.
    pub expected: u64,
    /// Those that arrived.
    pub delivered: u64,
    /// Those behind which the watcher saw a write that was sent only after theirs was acknowledged.
    pub lost: u64,
    /// Events that a watcher had already had.
    pub repeated: u64,
    /// Events that came behind a later one of the same object.
    pub reordered: u64,
    /// Those that had not arrived when the run ended.
    pub pending: u64,
}

impl Deliveries {
    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.delivered += other.delivered;
        self.lost += other.lost;
        self.repeated += other.repeated;
        self.reordered += other.reordered;
        self.pending += other.pending;
    }
}

/// The starts of an open loop: `planned = sent + dropped`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starts {
    /// As the pace has it.
    pub planned: u64,
    /// Those that were sent.
    pub sent: u64,
    /// Those of them that were sent later than the pace allows, for want of a free connection; they count from when
    /// they were meant to start.
    pub late: u64,
    /// Those that were never sent.
    pub dropped: u64,
}

/// The watches of a fleet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watches {
    /// How many there were to be.
    pub planned: u64,
    /// How many were opened at first.
    pub opened: u64,
    /// How many were open when the run ended.
    pub open: u64,
    /// How often one was opened again, from its last version or anew.
    pub resumed: u64,
    /// How often one ended although nobody had asked for it, and why.
    #[serde(default)]
    pub ended: BTreeMap<Ending, u64>,
    /// Over how many connections.
    pub connections: u64,
    /// How many streams the server allows on each; `None` where it does not say, or each has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<u64>,
}

/// Why a watch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The server closed it in good order, as it does when its time is over.
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
    /// It was refused when it was to be opened.
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
    /// How many ended although nobody had asked for it.
    pub fn ended(&self) -> u64 {
        self.ended.values().sum()
    }
}
