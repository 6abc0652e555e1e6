//! Area `serialization`: encodings, and the format of values.

mod encodings;
mod json;
mod quantities;
mod times;
mod values;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "serialization",
        [json::rows(), values::rows(), encodings::rows(), times::rows(), quantities::rows()],
    )
}
