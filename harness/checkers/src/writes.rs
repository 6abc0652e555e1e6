//! Sequences of writes to a few objects, held step by step against a small model of the rules. Pure: it sends nothing.
//!
//! A [`WriteStep`] says what to do, a [`WriteSequence`] makes the request of it, and compares what was answered, and what is there
//! afterwards, with what the model foretells. The state before a step is always the one that the server
//! showed: one mistake is reported once, and does not make all that follows look wrong.

mod comparison;
mod prediction;
mod request;
mod sequence;
mod state;
mod step;

pub use comparison::{WriteDifference, WriteResponse, WriteRule};
pub use sequence::WriteSequence;
pub use state::{Content, State};
pub use step::{ObjectChange, Pick, Test, Verb, Which, WriteStep};
