//! Variants: conformant servers that differ from kube-apiserver, to reveal false failures.
//!
//! A [`Variant`] uses the same rules on the wire as the [faults](crate::fault), and [`Behaviour`]s of the server itself.
//! It stays within the published API: a client that fails relies on unspecified behavior.

mod behavior;
mod bookmark;
mod json_layout;
mod opaque_versions;
mod table;
#[cfg(test)]
mod tests;
mod unknown_fields;

pub use behavior::Behaviour;
pub(crate) use behavior::Behaviours;

use crate::fault::Wire;

/// A way to be right that is not kube-apiserver's.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// What the server then does.
    pub what: &'static str,
    /// What the server itself does.
    pub behaviours: &'static [Behaviour],
    /// What happens to requests and answers on their way.
    pub wires: &'static [Wire],
}

/// All variants.
pub fn variants() -> impl Iterator<Item = &'static Variant> {
    table::VARIANTS.iter()
}
