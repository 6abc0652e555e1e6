//! The passive checkers of watches: the requirements of every stream, for every resource and every writer.
//!
//! A [`Stream`] knows its watch request and takes event by event ([`Stream::check`]), in time linear in their number. It
//! judges at once what one stream shows. The [`WriteLog`] compares streams of a collection with each other and with the
//! run's acknowledged writes, at the end or at a scenario's request. It also compares reads with these writes, and with
//! each other ([`WriteLog::check_read`]). Parsing is elsewhere: an [`Event`] borrows its data.
//!
//! No unread event counts against a server: the checks cover a stream from its start to its last read event.

mod breach;
mod checker;
mod comparable_versions;
mod contents;
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
pub use version::ResourceVersion;
pub use watch_request::{Start, WatchRequest};
pub use write::Write;
pub use write_log::{FollowedStream, Ticket, WriteLog, judge};
