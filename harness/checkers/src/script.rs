//! Sequences of steps as shell commands: [`script`] repeats the steps of a scenario with `curl` alone.

mod check;
mod commands;
mod facts;
mod step_request;

pub use check::{Check, Difference};
pub use commands::{PlayedStep, Scene, script};
pub use step_request::NOBODY;
pub use step_request::StepRequest;
