//! Area `streaming-list`: a watch that begins with the whole state, and says when it has told it.

mod closing;
mod form;
mod initial;
mod refused;
mod told;
mod version;

use harness::Suite;

/// The area's scenarios.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "streaming-list",
        [
            initial::rows(),
            closing::rows(),
            version::rows(),
            refused::rows(),
            form::rows(),
            form::custom_rows(),
        ],
    )
}
