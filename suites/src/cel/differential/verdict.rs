//! What a server makes of an expression, and how its responses show it.

use std::fmt;

use super::case::{field, label};
use crate::prelude::*;

/// A verdict about an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The rule holds.
    Held,
    /// The rule is rejected, with this message.
    Rejected(String),
    /// The evaluation fails, and the object is rejected.
    Failed,
    /// The definition is refused, for this reason.
    Refused(String),
    /// The definition is accepted.
    Accepted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held => f.write_str("the rule holds"),
            Self::Rejected(message) => write!(f, "the rule does not hold, with the message {message:?}"),
            Self::Failed => f.write_str("the evaluation fails, and a cause names the rule"),
            Self::Refused(reason) => write!(f, "the server refuses the definition{reason}"),
            Self::Accepted => f.write_str("the server accepts the definition"),
        }
    }
}

/// The verdicts in the rejection of an object, whose last cause is of a rule that never holds.
pub(super) struct Rejection<'a> {
    causes: Vec<&'a Value>,
    /// What precedes each detail.
    prefix: &'a str,
}

impl<'a> Rejection<'a> {
    /// The rejection, if it has a cause with this message, which shows that the server has evaluated all rules.
    pub(super) fn read(causes: Vec<&'a Value>, last: &str) -> Option<Self> {
        let mut messages = causes.iter().filter_map(|cause| cause["message"].as_str());
        let prefix = messages.find_map(|message| message.strip_suffix(last))?;
        Some(Self { causes, prefix })
    }

    /// The verdict about the rule with this number.
    pub(super) fn verdict(&self, number: usize) -> Verdict {
        let (field, label) = (field(number), label(number));
        let message = |cause: &Value| cause["message"].as_str().unwrap_or_default().to_owned();
        // kube-apiserver 1.29 puts the fieldPath of a rule behind those of the rules before it.
        let is_named = |path: &str| path.rsplit('.').next() == Some(field.as_str());
        if let Some(cause) = self.causes.iter().find(|cause| cause["field"].as_str().is_some_and(is_named)) {
            let message = message(cause);
            return Verdict::Rejected(message.strip_prefix(self.prefix).unwrap_or(&message).to_owned());
        }
        let failed = self.causes.iter().any(|cause| message(cause).contains(&label));
        if failed { Verdict::Failed } else { Verdict::Held }
    }
}
