//! What changed between runs: two of them, or several pairs.
//!
//! Two runs show [changes](Change); only [pairs](Paired) of runs, one after the other on the same machine, can say how
//! much of a change is chance.

mod change;
mod paired;
mod several;
mod unlike;

#[cfg(test)]
mod tests;

pub use change::{Change, Effect, Measure, changes};
pub use paired::{Paired, interleaved, pairs_needed};
pub use several::{PairedChange, paired_changes};
pub use unlike::{Unlike, unlike};
