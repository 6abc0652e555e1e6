//! The passive checkers of watches: what holds of every stream, whatever is watched and whoever writes.
//!
//! A [`Stream`] knows what was asked and is fed event by event ([`Stream::see`]), in time linear in their number. What
//! one stream shows by itself is judged at once; what takes the run's acknowledged writes and other streams of the same
//! collection is judged by the [`WriteLog`], when all has come or a scenario asks. Reading is left to others: an
//! [`Event`] is borrowed from wherever it was parsed.
//!
//! Nothing is held against a server for what was not read: a stream answers for what lies between its start and the
//! last that it was read up to.

mod breach;
mod checker;
mod comparable_versions;
mod delivery_tracker;
mod event;
mod event_reader;
mod opaque_versions;
mod selector;
mod version;
mod version_history;
mod watch_request;
mod write;
mod write_log;

#[cfg(test)]
mod tests;

pub use breach::{Findings, StreamRule};
pub use checker::{Labels, Stream};
pub use delivery_tracker::{Absence, Arrival, DeliveryTracker, Numbered, Settled};
pub use event::{Event, EventObject, WatchEventType};
pub use event_reader::{INITIAL_EVENTS_END, digest, read};
pub use selector::Selector;
pub use version::Mark;
pub use watch_request::{Start, WatchRequest};
pub use write::Write;
pub use write_log::{FollowedStream, Ticket, WriteLog, judge};
