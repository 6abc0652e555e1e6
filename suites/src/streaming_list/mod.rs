//! Area `streaming-list`: watches with `sendInitialEvents`.

mod encodings;
mod initial_events;
mod initial_events_end;
mod invalid_requests;
mod streamed_list;
mod version;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "streaming-list",
        [
            initial_events::rows(),
            initial_events_end::rows(),
            version::rows(),
            invalid_requests::rows(),
            encodings::rows(),
        ],
    )
}
