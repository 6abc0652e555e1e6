//! A load that several processes share, on one machine or on many.
//!
//! One process coordinates ([`coordinate`]): it creates the population, announces the common start, follows the load,
//! adds the results up and removes the population. The others are the workers ([`work`]): each performs its
//! [`Share`](crate::Share) of the load. They talk in documents of a [`Rendezvous`], each with one writer: no process
//! needs to reach another. Whoever starts the workers is no part of this crate.

mod clock_bounds;
mod config_maps;
mod coordinator;
mod documents;
mod expected_share;
mod folder;
mod follower;
mod limits;
mod link;
mod merge;
mod orphan;
mod rendezvous;
mod worker_process;
mod worker_seen;

use std::time::Duration;

pub use config_maps::ConfigMaps;
pub use coordinator::{Workers, coordinate};
pub use folder::Folder;
pub use rendezvous::{Documents, Rendezvous};
pub use worker_process::{WorkerPlan, work};

/// A process without news for this time is lost.
const LOST_AFTER: Duration = Duration::from_secs(10);
