//! Variants: conformant servers that differ from kube-apiserver, to reveal false failures.
//!
//! A [`Variant`] uses the same rules on the wire as the [faults](crate::fault), and [`Behaviour`]s of the server itself.
//! It stays within the published API: a client that fails relies on unspecified behavior.

mod behavior;
mod bookmark;
mod generic;
mod json_layout;
mod opaque_versions;
mod published;
mod table;
#[cfg(test)]
mod tests;
mod unknown_fields;

pub use behavior::Behaviour;
pub(crate) use behavior::Behaviours;

use crate::cel::deviation::Deviation;
use crate::fault::Wire;

/// A conformant deviation from kube-apiserver.
#[derive(Debug)]
pub struct Variant {
    /// The name for `--variant`.
    pub name: &'static str,
    /// The deviation, as a sentence.
    pub what: &'static str,
    /// The behaviours of the server itself.
    pub behaviours: &'static [Behaviour],
    /// The edits of requests and responses.
    pub wires: &'static [Wire],
    /// What its expressions lack.
    pub(crate) expressions: &'static [Deviation],
}

/// All variants.
pub fn variants() -> impl Iterator<Item = &'static Variant> {
    table::VARIANTS.iter()
}
