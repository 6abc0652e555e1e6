//! The error of a task, in one sentence.

use std::fmt;

#[derive(Debug)]
pub(crate) struct TaskError(String);

impl TaskError {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// For `map_err`: `failed to VERB OBJECT`, followed by the cause.
    pub(crate) fn failed_to<E: fmt::Display>(action: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |cause| Self(format!("failed to {action}: {cause}"))
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
