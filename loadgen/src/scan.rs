//! Finds the events of a watch and the items of a list in the bytes of a response, without a copy.
//!
//! If it parsed every event, the generator would be the slowest part of a run, and its lag would count as the server's.
//! So the scan finds an event by its line feed and a few texts in it, and parses one in a thousand completely to check
//! itself.

mod check;
mod collection;
mod documents;
mod event;
mod frames;
mod items;
mod search;

pub use check::{Check, Checks};
pub use collection::Collection;
pub(crate) use collection::CollectionFinder;
pub(crate) use event::ObjectHead;
pub use event::{ScannedEvent, Type};
pub use frames::{Frames, Oversize};
pub(crate) use items::{COUNT_TWICE_ONE_IN, or_empty, repeated};
pub use items::{Items, ListedObject};
pub use search::Search;
