//! Sequences of writes to a few objects, held step by step against a small model of the rules. Pure: it sends nothing.
//!
//! A [`Step`] says what to do, [`ask`] makes the request of it, and [`judge`] compares what was answered, and what was
//! there before and after, with what the model foretells. The state before a step is always the one that the server
//! showed: one mistake is reported once, and does not make all that follows look wrong. [`script`] tells a sequence as
//! commands that anybody can run again.

mod ask;
mod foretell;
mod judge;
mod script;
mod state;
mod step;
#[cfg(test)]
mod tests;

pub use ask::{Asked, Known, ask};
pub use judge::{Answer, Check, Difference, Rule, judge};
pub use script::{Scene, Told, script};
pub use state::{Content, State};
pub use step::{Change, Pick, Step, Test, Verb, Which};
