//! Sequences of applies, updates and merge patches by a few managers of one object, held step by step against a small
//! model of field management. Pure: it sends nothing.
//!
//! An object is a handful of [`Cell`]s: the smallest fields that are owned, each of which has a value or is not there. A
//! [`ApplyStep`] says who changes which of them and how, a [`ApplySequence`] makes the request of it, and compares what was answered,
//! and what is there afterwards, with what the model foretells. The state before a step is always the one that the server
//! showed. Containers are never emptied, as somebody owns something in each that nobody else touches: what becomes of
//! empty ones is not laid down.

mod cell;
mod comparison;
mod field_paths;
mod kind;
mod prediction;
mod request;
mod sequence;
mod state;
mod step;

pub use cell::Cell;
pub use comparison::{ApplyDifference, ApplyResponse, ApplyRule};
pub use kind::Kind;
pub use sequence::ApplySequence;
pub use state::{Owner, State};
pub use step::{ApplyStep, CellValues, Verb};
