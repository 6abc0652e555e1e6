//! Area `idempotency`: POST of an existing name, and generated names.

mod generated_names;
mod name_collisions;
pub(crate) mod taken_names;

suite!["idempotency", taken_names, generated_names, name_collisions];
