//! Why a task failed, in one sentence.

use std::fmt;

/// One clear sentence for the person who has to mend it.
#[derive(Debug)]
pub(crate) struct TaskError(String);

impl TaskError {
    /// A failure said in the given sentence.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// For `map_err`: what was being attempted, followed by the cause.
    pub(crate) fn while_trying<E: fmt::Display>(what: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |cause| Self(format!("failed to {what}: {cause}"))
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
