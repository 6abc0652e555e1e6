//! What the server says with its errors: one message for each status.

use std::collections::BTreeMap;

use harness::load::{ErrorClass, Warning};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The maximum number of messages.
const MOST: usize = 5;

/// The maximum length of a body, in bytes. A longer one is left out: a message is only shortened behind the search for
/// credentials.
const LONGEST: usize = 4 << 10;

/// Messages by status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Messages(BTreeMap<u16, String>);

impl Messages {
    /// Keeps the message of an error if it is the first one with this status.
    pub(super) fn note(&mut self, status: StatusCode, body: &[u8]) {
        if self.0.len() >= MOST || self.0.contains_key(&status.as_u16()) || body.len() > LONGEST {
            return;
        }
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |field: &str| body[field].as_str().filter(|text| !text.is_empty());
        if body["kind"] != "Status" {
            return;
        }
        if let Some(message) = text("message") {
            let reason = text("reason").map(|reason| format!("{reason}: ")).unwrap_or_default();
            self.0.insert(status.as_u16(), format!("{reason}{message}"));
        }
    }

    /// Adds those of another worker with other statuses.
    pub(super) fn add(&mut self, other: Self) {
        for (status, message) in other.0 {
            if self.0.len() < MOST {
                self.0.entry(status).or_insert(message);
            }
        }
    }

    /// A warning for each.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> {
        self.0.iter().map(|(status, message)| {
            let title = ErrorClass::Status(*status).title();
            Warning::new("message", format!("a response with {title} said: {message}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(messages: &Messages) -> Vec<String> {
        messages.warnings().map(|warning| warning.says).collect()
    }

    #[test]
    fn the_first_message_of_each_status_is_kept() {
        let mut messages = Messages::default();
        let status =
            |message: &str| format!(r#"{{"kind":"Status","reason":"Invalid","message":"{message}"}}"#);
        for text in [
            "<html>",
            "{}",
            r#"{"kind":"Status"}"#,
            &status(&"x".repeat(LONGEST)),
            &status("a"),
            &status("b"),
        ] {
            messages.note(StatusCode::UNPROCESSABLE_ENTITY, text.as_bytes());
        }
        let expected = ["a response with 422 Unprocessable Entity said: Invalid: a"];
        assert_eq!(says(&messages), expected);
        let mut other = Messages::default();
        other.note(StatusCode::UNPROCESSABLE_ENTITY, status("c").as_bytes());
        other.note(StatusCode::CONFLICT, br#"{"kind":"Status","message":"d"}"#);
        messages.add(other);
        assert_eq!(says(&messages), ["a response with 409 Conflict said: d", expected[0]]);
    }
}
