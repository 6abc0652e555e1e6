//! Area `serialization`: encodings, and the format of values.

pub(crate) mod encodings;
mod json;
mod quantities;
mod times;
mod values;

suite!["serialization", json, values, encodings, times, quantities];
