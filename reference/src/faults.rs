//! The tables of faults, one per area of the catalogue.
#![allow(clippy::enum_glob_use, reason = "a row reads like a sentence without `When::` and `Edit::`")]

mod health;
mod pagination;

use crate::fault::Fault;

/// The faults by area.
const TABLES: &[&[Fault]] = &[health::FAULTS, pagination::FAULTS];

/// All faults.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    TABLES.iter().copied().flatten()
}
