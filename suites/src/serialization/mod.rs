//! Area `serialization`: encodings, and the format of values.

pub(crate) mod encodings;
pub(crate) mod json;
mod quantities;
mod times;
mod values;

suite!["serialization", json, values, encodings, times, quantities];
