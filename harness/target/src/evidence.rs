//! Full evidence: every exchange of a run in one file, and the same answers again without a server.
//!
//! The file is JSON lines in gzip. A [`Recorder`] writes it while the run goes on; [`Evidence`] reads it; a [`Replay`]
//! answers the requests of a run from it, in the recorded order and at the recorded times.

mod description;
mod kept_body;
mod line;
mod order;
mod reader;
mod recorder;
mod redacted;
mod replay;
mod writer;

pub use line::Reached;
pub use order::Idle;
pub use reader::Evidence;
pub use recorder::{Recorded, Recorder};
pub use replay::{Replay, Unlike};

pub(crate) use line::{BranchId, Moment, MomentKind};
pub(crate) use recorder::Recording;
pub(crate) use replay::ReplayedBody;
