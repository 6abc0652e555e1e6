//! Changes between runs: two runs, or several pairs.
//!
//! Two runs show [changes](Change); only [pairs](Paired) of runs, in turn on one machine, show how much is chance.

mod change;
mod conclusion;
mod incomparable;
mod looks;
mod needed_pairs;
mod paired;
mod ratios;
mod several;

#[cfg(test)]
mod tests;

pub use change::{Change, Effect, Measure, changes};
pub use conclusion::{PairedConclusion, conclude};
pub use incomparable::{Unlike, unlike};
pub use looks::{Looks, is_decided};
pub use needed_pairs::Needed;
pub use paired::{Paired, interleaved};
pub use ratios::{MOST_PAIRS, Ratios};
pub use several::{
    Finding, PairedChange, TYPICAL_AND_SLOW, error_share, numbers_of, paired_changes, pairs_to_judge,
};
