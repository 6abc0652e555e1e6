//! Area `pagination`: lists in chunks, by `limit` and `continue`.

mod chunks;
mod invariants;
mod selection;
mod snapshot;
mod token;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "pagination",
        [
            token::rows(),
            selection::rows(),
            snapshot::rows(),
            chunks::rows(),
            crate::gone::pagination_rows(),
            invariants::rows(),
        ],
    )
}
