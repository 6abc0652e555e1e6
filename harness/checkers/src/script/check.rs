//! What a script looks at in the end, and why.

use std::fmt;

/// What a script looks at to show a difference, after the last step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// The step's code is one of these.
    Status(Vec<u16>),
    /// There is an object, or there is none.
    There(bool),
    /// The object, or else the response, has this text, or has it not.
    Says {
        /// Whether the response is looked at, and not what is read after it.
        response: bool,
        /// Such as `"v1"`, as in JSON.
        text: String,
        /// Whether it must be there.
        there: bool,
    },
    /// The version is that of before, or is another.
    Version(bool),
    /// The uid is that of before, or is another.
    Uid(bool),
    /// The generation is that of before, or is another.
    Generation(bool),
    /// All of the object is as before.
    Whole,
    /// Somebody owns a field, or does not.
    Owns {
        /// Such as `m1/Apply`.
        owner: String,
        /// As in `fieldsV1`, its steps put together with slashes.
        path: String,
        /// Whether it must be so.
        owns: bool,
    },
    /// The response has a cause that names a manager and a field, or has none.
    Cause {
        /// The manager.
        manager: String,
        /// As in causes.
        field: String,
        /// Whether it must be there.
        there: bool,
    },
}

/// What came otherwise than foretold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference<R> {
    /// What it breaks.
    pub rule: R,
    /// What was foretold.
    pub expected: String,
    /// What came.
    pub actual: String,
    /// How a script shows it.
    pub check: Check,
}

impl<R> fmt::Display for Difference<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, not {}", self.actual, self.expected)
    }
}
