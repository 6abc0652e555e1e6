//! Sequences of steps as commands for a shell that show the same again: whatever is played step by step against a server
//! is told by [`script`] to somebody who has nothing but `curl`.

mod check;
mod commands;
mod facts;
mod step_request;

pub use check::{Check, Difference};
pub use commands::{PlayedStep, Scene, script};
pub use step_request::NOBODY;
pub use step_request::StepRequest;
