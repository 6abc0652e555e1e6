//! Area `verbs`: the methods of the API, as the API conventions describe them.
//!
//! The scenarios of update, patch, deletion and watch test many clauses of this area beside their own.

mod delete;
mod discovery;
mod grace_period;
mod json;
pub(crate) mod object;
mod patch;
mod put;
mod rejections;
mod strategic;
mod watch;

use crate::prelude::*;

suite!["verbs", put, object, delete, grace_period, watch, discovery, patch, json, rejections, strategic];

/// The value. A reason to skip becomes a note, and the scenario goes on without the value.
pub(crate) fn or_note<T>(cx: &Context, result: Result<T, Halt>) -> Result<Option<T>, Halt> {
    match result {
        Err(Halt::Skipped(why)) => {
            cx.note(why);
            Ok(None)
        }
        other => other.map(Some),
    }
}
