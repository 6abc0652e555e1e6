//! Area `idempotency`: creating what is there already, and names that the server makes.

mod again;
mod crowd;
mod generated;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    // What has a name of the server's making is found again by its namespace: that is not asked on every shape.
    [again::add, generated::add, crowd::add]
        .iter()
        .fold(Suite::new("idempotency"), |suite, add| add(suite))
        .on_custom_resources()
}
