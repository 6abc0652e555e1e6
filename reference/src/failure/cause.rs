//! Causes in the details of a `Status`.

use std::fmt;

use serde_json::{Value, json};

/// One cause of an `Invalid` failure: a field and its error.
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

    /// The field must be absent.
    pub(crate) fn forbidden(field: impl Into<String>, detail: &str) -> Self {
        Self::new("FieldValueForbidden", field, format!("Forbidden: {detail}"))
    }

    /// The field must be present.
    pub(crate) fn required(field: impl Into<String>, detail: &str) -> Self {
        let message =
            if detail.is_empty() { "Required value".to_owned() } else { format!("Required value: {detail}") };
        Self::new("FieldValueRequired", field, message)
    }

    /// The field's value is wrong.
    pub(crate) fn invalid(field: impl Into<String>, value: &Value, detail: &str) -> Self {
        Self::new("FieldValueInvalid", field, format!("Invalid value: {value}: {detail}"))
    }

    /// The field's value is wrong, and shown in another form.
    pub(crate) fn invalid_shown(field: impl Into<String>, shown: &str, detail: &str) -> Self {
        Self::new("FieldValueInvalid", field, format!("Invalid value: {shown}: {detail}"))
    }

    /// The field's value is wrong, and too large to be shown.
    pub(crate) fn invalid_part(field: impl Into<String>, detail: &str) -> Self {
        Self::new("FieldValueInvalid", field, format!("Invalid value: {detail}"))
    }

    /// The field's value is of the wrong type.
    pub(crate) fn wrong_type(field: impl Into<String>, value: &str, detail: &str) -> Self {
        Self::new("FieldValueTypeInvalid", field, format!("Invalid value: \"{value}\": {detail}"))
    }

    /// The value is not one of the supported values.
    pub(crate) fn not_supported(field: impl Into<String>, value: &str, supported: &[&str]) -> Self {
        let supported: Vec<_> = supported.iter().map(|value| format!("{value:?}")).collect();
        let message = format!("Unsupported value: {value}: supported values: {}", supported.join(", "));
        Self::new("FieldValueNotSupported", field, message)
    }

    /// The value is too long, in bytes.
    pub(crate) fn too_long(field: impl Into<String>, most: u64) -> Self {
        let message = format!("Too long: may not be more than {most} bytes");
        Self::new("FieldValueTooLong", field, message)
    }

    /// The field has too many items.
    pub(crate) fn too_many(field: impl Into<String>, found: usize, most: usize) -> Self {
        let message = format!("Too many: {found}: must have at most {most} items");
        Self::new("FieldValueTooMany", field, message)
    }

    /// The item is a duplicate.
    pub(crate) fn duplicate(field: &str, value: &Value) -> Self {
        Self::new("FieldValueDuplicate", field, format!("Duplicate value: {value}"))
    }

    /// The field must not change.
    pub(crate) fn immutable(field: &str, value: &Value) -> Self {
        Self::invalid(field, value, "field is immutable")
    }
}

impl Cause {
    /// Whether the item is a duplicate.
    pub(crate) fn is_duplicate(&self) -> bool {
        self.reason == "FieldValueDuplicate"
    }

    /// Whether validation rules are not checked beside this cause.
    pub(crate) fn blocks_rules(&self) -> bool {
        matches!(
            self.reason,
            "FieldValueNotSupported"
                | "FieldValueRequired"
                | "FieldValueTooLong"
                | "FieldValueTooMany"
                | "FieldValueTypeInvalid"
        )
    }

    /// The cause in JSON.
    pub(super) fn to_json(&self) -> Value {
        json!({"reason": self.reason, "message": self.message, "field": self.field})
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.reason, self.field)
    }
}
