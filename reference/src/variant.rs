//! The ways to be right and yet unlike kube-apiserver, to prove that nobody is called wrong for them.
//!
//! A [`Variant`] is described in the language of the [faults](crate::fault): rules on the wire, and [`Habit`]s of
//! the server itself. What it does is within the published rules: a client that minds it has relied on more than was
//! promised.

mod bookmark;
mod extra;
mod habit;
mod layout;
mod opaque;
mod table;
#[cfg(test)]
mod tests;

pub use habit::Habit;
pub(crate) use habit::Habits;

use crate::fault::Wire;

/// A way to be right that is not kube-apiserver's.
#[derive(Debug)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// What the server then does.
    pub what: &'static str,
    /// What the server itself does.
    pub habits: &'static [Habit],
    /// What happens to requests and answers on their way.
    pub wires: &'static [Wire],
}

/// All variants.
pub fn variants() -> impl Iterator<Item = &'static Variant> {
    table::VARIANTS.iter()
}
