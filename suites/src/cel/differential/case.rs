//! A random expression in a definition.

use harness::expressions::{Environment, Expression, NoValue, Type, Value};

use super::verdict::Verdict;
use crate::prelude::{Value as Json, json};

/// The most bytes that a message may have; longer ones do not count.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// An expression as a rule, or as the message of a rule that never holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Case {
    pub(super) place: Place,
    pub(super) expression: Expression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Rule,
    Message,
}

impl Case {
    pub(super) fn rule(expression: Expression) -> Self {
        Self { place: Place::Rule, expression }
    }

    pub(super) fn message(expression: Expression) -> Self {
        Self { place: Place::Message, expression }
    }

    /// The same with another expression.
    pub(super) fn with(&self, expression: Expression) -> Self {
        Self { place: self.place, expression }
    }

    pub(super) fn is_message(&self) -> bool {
        self.place == Place::Message
    }

    /// The type that the definition demands.
    pub(super) fn ty(&self) -> Type {
        if self.is_message() { Type::Text } else { Type::Bool }
    }

    /// The rule with this number, whose violations name a field of its own.
    pub(super) fn to_rule(&self, number: usize) -> Json {
        let text = self.expression.to_string();
        let mut rule =
            json!({ "rule": "false", "message": label(number), "fieldPath": format!(".{}", field(number)) });
        let place = if self.is_message() { "messageExpression" } else { "rule" };
        rule[place] = text.into();
        rule
    }

    /// The verdict of a correct server about an object; `None` if the language leaves it open.
    pub(super) fn expected(&self, number: usize, environment: &Environment) -> Option<Verdict> {
        match (self.place, self.expression.evaluate(environment)) {
            (_, Err(NoValue::Open)) => None,
            (Place::Rule, Ok(Value::Bool(true))) => Some(Verdict::Held),
            (Place::Rule, Err(NoValue::Error)) => Some(Verdict::Failed),
            (Place::Message, Ok(Value::Text(text))) if is_usable(text.trim()) => {
                Some(Verdict::Rejected(text.trim().to_owned()))
            }
            // Without a value the message is the other one.
            _ => Some(Verdict::Rejected(label(number))),
        }
    }
}

fn is_usable(message: &str) -> bool {
    !message.is_empty() && message.len() <= LONGEST_MESSAGE && !message.contains('\n')
}

/// The message of a rule.
pub(super) fn label(number: usize) -> String {
    format!("expression {number:03}")
}

/// The field that the violations of a rule name.
pub(super) fn field(number: usize) -> String {
    format!("c{number:03}")
}
