//! The algebra of server-side apply: who owns which fields of an object, and what becomes of them and it.
//!
//! Values with a type and sets of fields in, values and sets of fields out. It knows nothing of HTTP, of the store, or of
//! how owners are called: see [`crate::managed`] for that.
//!
//! Ours, because it is an invention of Kubernetes' own. What it finds agrees with kube-apiserver's, also where that is
//! odd: what a removal leaves empty becomes null, and a list that is applied empty is owned by nobody.

mod built_in;
mod compare;
mod fields_v1;
mod merge;
mod owned;
mod owners;
mod path;
mod reconcile;
mod remove;
mod set;
mod structural;
#[cfg(test)]
mod tests;
mod types;
mod validate;

pub(crate) use built_in::kind_type;
pub(crate) use compare::{compare, same};
pub(crate) use owned::fields_of;
pub(crate) use owners::{Config, Conflict, Owned, Owners, Problem, Types, apply, update};
pub(crate) use path::Path;
pub(crate) use set::FieldSet;
pub(crate) use structural::structural_type;
pub(crate) use types::Type;
pub(crate) use validate::{validate, validate_stored};
