//! Area `idempotency`: POST of an existing name, and generated names.

mod generated_names;
mod name_collisions;
mod taken_names;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new("idempotency", [taken_names::rows(), generated_names::rows(), name_collisions::rows()])
}
