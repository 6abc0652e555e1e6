//! The results of the requests of a workload.

use serde::{Deserialize, Serialize};

use super::messages::Messages;
use crate::broken_rules::BrokenRules;
use crate::read_back::Stored;

/// The results of the mix.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MixSummary {
    /// The rules that responses broke.
    pub(crate) broken_rules: BrokenRules,
    /// The number of lists with a thorough count of items, and of those where both counts differ.
    pub(crate) checked: u64,
    pub(crate) misread: u64,
    /// What the server said with its errors.
    #[serde(default)]
    pub(crate) messages: Messages,
    /// A few objects that the server must have at the end.
    #[serde(skip)]
    pub(crate) stored: Vec<Stored>,
}

impl MixSummary {
    /// Adds the results of another worker.
    pub(crate) fn add(&mut self, other: Self) {
        self.broken_rules.add(other.broken_rules);
        self.checked += other.checked;
        self.misread += other.misread;
        self.messages.add(other.messages);
    }
}
