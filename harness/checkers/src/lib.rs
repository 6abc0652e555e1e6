//! Checkers of streams, histories and sequences of writes.
//!
//! Pure: nothing here sends, waits or reads a clock. Requests and responses in, findings out.

pub mod applies;
pub mod expressions;
pub mod history;
mod object;
pub mod script;
pub mod stream;
pub mod writes;
