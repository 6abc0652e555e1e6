//! Area `validation`: rejection of invalid objects, and validation messages.

mod bounds;
mod invalid_values;
mod messages;
mod optional_fields;
mod pods;
mod receipt;
mod rejections;

use crate::error_response::causes;
use crate::prelude::*;

suite!["validation", optional_fields, receipt, rejections, invalid_values, bounds, messages, pods];

/// The object is invalid, with a cause of this reason and field among others. Returns the cause.
pub(crate) fn expect_cause<'a>(response: &'a Exchange, field: &str, reason: &str) -> Result<&'a Value, Halt> {
    response.expect_error(&[422], &["Invalid"])?;
    let all = causes(response).unwrap_or_default();
    let found = all.iter().copied().find(|cause| cause["field"] == field && cause["reason"] == reason);
    found.ok_or_else(|| {
        let actual: Vec<_> =
            all.iter().map(|cause| format!("{} {}", cause["reason"], cause["field"])).collect();
        response.fail(format!("a cause {reason} of {field}"), actual.join(", "))
    })
}
