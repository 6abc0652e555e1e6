//! Looks up the events of a watch and the items of a list in the bytes of a response, without a copy.
//!
//! Parsing every event makes the generator the slowest part of a run, and its own lag the server's. So an event is
//! found by its line feed and the few texts that matter in it, and one in so many is parsed as a whole to see whether
//! both agree.

mod check;
mod event;
mod frames;
mod items;

pub use check::{Check, Checks};
pub use event::{ScannedEvent, Type};
pub use frames::{Frames, Oversize};
pub use items::Items;
