//! All faults.
use crate::fault::Fault;
/// All faults.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    std::iter::empty()
}
