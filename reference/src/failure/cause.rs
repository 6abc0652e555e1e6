//! Causes in the details of a `Status`.

use std::fmt;

use serde_json::{Value, json};

/// One cause of an `Invalid` refusal: what is wrong with which field.
#[derive(Debug, Clone)]
pub(crate) struct Cause {
    reason: &'static str,
    pub(super) message: String,
    pub(super) field: String,
}

impl Cause {
    fn new(reason: &'static str, field: impl Into<String>, message: String) -> Self {
        Self { reason, message, field: field.into() }
    }

    /// The field must not be there.
    pub(crate) fn forbidden(field: impl Into<String>, why: &str) -> Self {
        Self::new("FieldValueForbidden", field, format!("Forbidden: {why}"))
    }

    /// The field must be there.
    pub(crate) fn required(field: impl Into<String>, why: &str) -> Self {
        let message =
            if why.is_empty() { "Required value".to_owned() } else { format!("Required value: {why}") };
        Self::new("FieldValueRequired", field, message)
    }

    /// The field's value is wrong.
    pub(crate) fn invalid(field: impl Into<String>, value: &Value, why: &str) -> Self {
        Self::new("FieldValueInvalid", field, format!("Invalid value: {value}: {why}"))
    }

    /// The field's value is of the wrong type.
    pub(crate) fn wrong_type(field: impl Into<String>, value: &str, why: &str) -> Self {
        Self::new("FieldValueTypeInvalid", field, format!("Invalid value: \"{value}\": {why}"))
    }

    /// The field's value is none of the possible ones.
    pub(crate) fn not_supported(field: impl Into<String>, value: &str, supported: &[&str]) -> Self {
        let supported: Vec<_> = supported.iter().map(|value| format!("{value:?}")).collect();
        let message = format!("Unsupported value: {value}: supported values: {}", supported.join(", "));
        Self::new("FieldValueNotSupported", field, message)
    }

    /// There is too much in the field.
    pub(crate) fn too_long(field: impl Into<String>, most: u64) -> Self {
        let message = format!("Too long: may not be more than {most} bytes");
        Self::new("FieldValueTooLong", field, message)
    }

    /// There are too many things in the field.
    pub(crate) fn too_many(field: impl Into<String>, found: usize, most: usize) -> Self {
        let message = format!("Too many: {found}: must have at most {most} items");
        Self::new("FieldValueTooMany", field, message)
    }

    /// The element is there already.
    pub(crate) fn duplicate(field: &str, value: &Value) -> Self {
        Self::new("FieldValueDuplicate", field, format!("Duplicate value: {value}"))
    }

    /// The field must not change.
    pub(crate) fn immutable(field: &str, value: &Value) -> Self {
        Self::invalid(field, value, "field is immutable")
    }
}

impl Cause {
    /// As it stands in a Status.
    pub(super) fn shown(&self) -> Value {
        json!({"reason": self.reason, "message": self.message, "field": self.field})
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.reason, self.field)
    }
}
