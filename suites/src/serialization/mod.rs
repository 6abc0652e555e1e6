//! Area `serialization`: how values are written, and which encodings there are.

mod encodings;
mod json;
mod quantities;
mod times;
mod values;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts = [json::add, values::add, encodings::add, times::add, quantities::add];
    parts.iter().fold(Suite::new("serialization"), |suite, add| add(suite))
}
