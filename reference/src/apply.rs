//! Server-side apply: merge and field ownership on typed values.
//!
//! The functions are pure: typed values and field sets in, values and field sets out. They know neither HTTP nor the
//! store nor manager names: see [`crate::managed_fields`].
//!
//! The results agree with structured-merge-diff in kube-apiserver, even where they are surprising. A removal that
//! empties a map or list leaves null. An applied empty list has no owner.

mod built_in_types;
mod comparison;
mod field_owners;
mod field_set;
mod fields_v1;
mod merge;
mod path;
mod removal;
mod structural_types;
#[cfg(test)]
mod tests;
mod type_change;
mod types;
mod validation;
mod value_fields;

pub(crate) use built_in_types::kind_type;
pub(crate) use comparison::{compare, same};
pub(crate) use field_owners::{Config, Conflict, Owned, Owners, Problem, Types, apply, update};
pub(crate) use field_set::FieldSet;
pub(crate) use path::Path;
pub(crate) use structural_types::structural_type;
pub(crate) use types::Type;
pub(crate) use validation::{validate, validate_stored};
pub(crate) use value_fields::fields_of;
