//! Sequences of applies, updates and merge patches by a few managers of one object, compared step by step with a small
//! model of field management. Pure: it sends nothing.
//!
//! An object is a handful of [`Cell`]s: the smallest owned fields, each with a value or absent. An [`ApplyStep`] is one
//! manager's change of cells. An [`ApplySequence`] makes its request, and compares the response and the state after it
//! with the model's prediction. The state before a step is always the server's. No step empties a container: an anchor
//! in each has an owner, and no step changes it. Kubernetes does not specify the fate of empty containers.

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
pub use kind::AppliedType;
pub use sequence::ApplySequence;
pub use state::{AppliedObject, Owner};
pub use step::{ApplyStep, CellValues, Verb};
