//! Area `streaming-list`: watches with `sendInitialEvents`.

mod encodings;
mod initial_events;
mod initial_events_end;
mod invalid_requests;
pub(crate) mod streamed_list;
mod version;

suite!["streaming-list", initial_events, initial_events_end, version, invalid_requests, encodings];
