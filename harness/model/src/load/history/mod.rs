//! Results of load runs over time.

mod change_point;

pub use change_point::{ChangePoint, change_points};
