//! Sequences of writes to a few objects, compared step by step with a small model. Pure: it sends nothing.
//!
//! A [`WriteStep`] is one write. A [`WriteSequence`] makes its request, and compares the response and the state after
//! it with the model's prediction. The state before a step is always the server's: one mistake is reported once, and
//! later steps are right again.

mod comparison;
mod prediction;
mod request;
mod sequence;
mod state;
mod step;

pub use comparison::{WriteDifference, WriteResponse, WriteRule};
pub use sequence::WriteSequence;
pub use state::{Content, WrittenObject};
pub use step::{ObjectChange, Test, UidChoice, Verb, VersionChoice, WriteStep};
