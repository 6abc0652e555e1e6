//! The tables of faults, one per area of the catalogue.

mod health;

use crate::fault::Fault;

/// The faults by area.
const TABLES: &[&[Fault]] = &[health::FAULTS];

/// All faults.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    TABLES.iter().copied().flatten()
}
