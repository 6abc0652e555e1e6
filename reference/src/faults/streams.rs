//! Streams under load: the ways in which they can be wrong.

use crate::fault::Fault;

pub(super) const FAULTS: &[Fault] = &[];
