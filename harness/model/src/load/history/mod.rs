//! Results of load runs over time: what is kept of each, which of them are alike, and where their level changed.

mod change_point;
mod conclusion;
mod entry;
mod group;
mod trend;

#[cfg(test)]
mod tests;

pub use change_point::{ChangePoint, change_points};
pub use conclusion::{HistoryConclusion, JudgedTrend, Regression, TooFew, conclude_history};
pub use entry::{
    HISTORY_FORMAT, HISTORY_KIND, HistoryEntry, KeptQuantile, KeptSeries, KeptTarget, KeptWorkload,
};
pub use group::{ResultGroup, groups};
pub use trend::{Level, LevelChange, Trend, TrendPoint};
