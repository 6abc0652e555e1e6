//! Area `idempotency`: creating what is there already, and names that the server makes.

mod again;
mod crowd;
mod generated;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new("idempotency", [again::rows(), generated::rows(), crowd::rows()])
}
