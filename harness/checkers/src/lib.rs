//! What streams, histories and sequences of writes show of a server.
//!
//! Pure: nothing here sends, waits or reads a clock. What was sent and received comes in, findings come out.

pub mod applies;
pub mod history;
pub mod script;
pub mod stream;
pub mod writes;
