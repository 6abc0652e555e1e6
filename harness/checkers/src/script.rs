//! Sequences of steps as commands for a shell that show the same again: whatever is played step by step against a server
//! is told by [`script`] to somebody who has nothing but `curl`.

mod asked;
mod check;
mod commands;
mod facts;

pub use asked::Asked;
pub use asked::NOBODY;
pub use check::{Check, Difference};
pub use commands::{Scene, Told, script};
