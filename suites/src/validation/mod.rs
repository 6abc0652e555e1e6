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

/// The object is invalid for this reason in this field, whatever else is wrong with it; answers the cause.
fn expect_cause<'a>(refused: &'a Exchange, field: &str, reason: &str) -> Result<&'a Value, Halt> {
    refused.expect_error(&[422], &["Invalid"])?;
    let all = causes(refused).unwrap_or_default();
    let found = all.iter().copied().find(|cause| cause["field"] == field && cause["reason"] == reason);
    let shown =
        || all.iter().map(|cause| format!("{} {}", cause["reason"], cause["field"])).collect::<Vec<_>>();
    found.ok_or_else(|| refused.fail(format!("a cause {reason} of {field}"), shown().join(", ")))
}
