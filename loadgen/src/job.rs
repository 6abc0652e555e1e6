//! The workers of a run as an Indexed Job of a cluster, which need not be the target.
//!
//! The Job owns everything else that belongs to it: a cluster removes all of it with the Job, also if the coordinator is
//! killed. The coordinator removes each object by itself, because a bare API server removes nothing.

mod manifest;
mod running_job;

pub use manifest::JobSpec;
pub use running_job::RunningJob;
