//! The results of the parts of a load. Those of several workers add up to those of one.

use serde::{Deserialize, Serialize};

use super::request_worker::RequestSummary;
use super::run_record::Stopped;
use crate::watch_pool::WatchPoolSummary;

/// The results of the parts that have ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings {
    pub(crate) healthy: Option<WatchPoolSummary>,
    pub(crate) slow: Option<WatchPoolSummary>,
    pub(crate) requests: RequestSummary,
    /// The first error.
    #[serde(skip)]
    pub(crate) error: Option<Stopped>,
}

impl Findings {
    /// Adds the results of another worker.
    pub(crate) fn add(&mut self, other: Self) {
        for (sum, addend) in [(&mut self.healthy, other.healthy), (&mut self.slow, other.slow)] {
            if let Some(addend) = addend {
                sum.get_or_insert_default().add(addend);
            }
        }
        self.requests.add(other.requests);
    }
}
