//! The 409 response to a conflicting apply.

use std::collections::BTreeSet;

use crate::prelude::*;

/// The reason of a cause.
const CAUSE: &str = "FieldManagerConflict";

/// A conflict over fields: 409 Conflict, with a cause for each of these managers and fields, and perhaps further
/// causes. Fields have the form of causes: `.data.k`, `.spec.rules[name="x"].value`.
pub(crate) fn expect_conflicts(response: &Exchange, conflicts: &[(&str, &str)]) -> Checked {
    let status = response.expect_error(&[409], &["Conflict"])?;
    let causes = causes(status);
    let found = |(manager, field): &(&str, &str)| {
        causes.iter().any(|cause| {
            let message = cause["message"].as_str().unwrap_or_default();
            cause["field"] == *field && message.contains(&format!("{manager:?}"))
        })
    };
    let expected: Vec<_> =
        conflicts.iter().map(|(manager, field)| format!("{field} with {manager:?}")).collect();
    let actual: Vec<_> = causes.iter().map(ToString::to_string).collect();
    response.expect(
        conflicts.iter().all(found),
        format!("causes of type {CAUSE}: {}", expected.join(", ")),
        format!("[{}]", actual.join(", ")),
    )
}

/// The fields in the causes of a conflict, each once.
pub(crate) fn fields_in_conflict(response: &Exchange) -> Result<BTreeSet<String>, Halt> {
    let status = response.expect_error(&[409], &["Conflict"])?;
    let fields = causes(status).into_iter().filter_map(|cause| cause["field"].as_str().map(str::to_owned));
    Ok(fields.collect())
}

/// The causes of a conflict over fields. Not every 409 has some.
pub(crate) fn causes(status: &Value) -> Vec<&Value> {
    let causes = status["details"]["causes"].as_array().into_iter().flatten();
    causes.filter(|cause| cause["reason"] == CAUSE).collect()
}
