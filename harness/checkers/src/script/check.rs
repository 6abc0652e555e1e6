//! The final check of a script.

use std::fmt;

/// The check that shows a difference, after the last step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// The step's code is one of these.
    Status(Vec<u16>),
    /// The object exists, or not.
    Exists(bool),
    /// The object, or the response, contains this text, or not.
    Contains {
        /// Whether the check reads the response of the step, not the object that the script gets after it.
        response: bool,
        /// The text as in JSON, such as `"v1"`.
        text: String,
        /// Whether the text must be present.
        present: bool,
    },
    /// The version is unchanged (`true`), or another.
    Version(bool),
    /// The uid is unchanged (`true`), or another.
    Uid(bool),
    /// The generation is unchanged (`true`), or another.
    Generation(bool),
    /// The whole object is unchanged.
    Whole,
    /// An owner has a field, or not.
    Owns {
        /// Such as `m1/Apply`.
        owner: String,
        /// The path in `fieldsV1`, joined by slashes.
        path: String,
        /// Whether it must own the field.
        owns: bool,
    },
    /// The response has a cause with this manager and this field, or not.
    Cause {
        /// The manager.
        manager: String,
        /// The field, as in causes.
        field: String,
        /// Whether the cause must be present.
        present: bool,
    },
}

/// A difference from the prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference<R> {
    /// The broken rule.
    pub rule: R,
    /// The prediction.
    pub expected: String,
    /// The behaviour of the server.
    pub actual: String,
    /// The check of a script that shows it.
    pub check: Check,
}

impl<R> fmt::Display for Difference<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, not {}", self.actual, self.expected)
    }
}
