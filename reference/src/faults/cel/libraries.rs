//! Faults of the libraries.

pub(super) mod authorizer;
pub(super) mod formats;
pub(super) mod lists;
pub(super) mod networks;
pub(super) mod quantities;
pub(super) mod standard;
pub(super) mod strings;
pub(super) mod urls;
