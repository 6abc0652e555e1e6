//! The causes of violations and of errors.

use serde_json::Value as Json;

use super::{MAX_MESSAGE, Message, Place, Stopped, Validator, path_or_nil};
use crate::cel::deviation::Check;
use crate::cel::escaping::escape;
use crate::cel::evaluator::EvalError;
use crate::cel::rules::{Rule, field_path};
use crate::cel::value::Value;
use crate::failure::Cause;

impl Validator<'_> {
    /// An error about a rule, whose value is the type of the part.
    pub(super) fn invalid(&mut self, place: &Place<'_>, detail: &str) {
        let ty = place.schema["type"].as_str().unwrap_or_default();
        self.causes.push(Cause::invalid(path_or_nil(place.path), &ty.into(), detail));
    }

    pub(super) fn violation(
        &mut self,
        rule: Rule<'_>,
        place: &Place<'_>,
        json: &Json,
        variables: Vec<(String, Value)>,
        is_ratcheted: bool,
    ) -> Result<(), Stopped> {
        let message = self.message(rule, place, variables)?;
        if is_ratcheted {
            return Ok(());
        }
        let detail = match (message, rule.text("message").trim()) {
            (Message::Unreported, _) => return Ok(()),
            (Message::Own(message), _) => message,
            (Message::Default, "") => format!("failed rule: {}", rule.label()),
            (Message::Default, message) => message.to_owned(),
        };
        let field = match field_path::normalized(rule.text("fieldPath"), place.schema).as_deref() {
            None | Some("") if self.deviations.checks_skipped(Check::UnescapedCauses) => escaped(place.path),
            None | Some("") => path_or_nil(place.path),
            Some(below) if place.path.is_empty() => below.to_owned(),
            Some(below) => format!("{}.{below}", place.path),
        };
        let is_shown = !matches!(place.schema["type"].as_str(), Some("object" | "array"));
        self.causes.push(match rule.text("reason") {
            "FieldValueForbidden" => Cause::forbidden(field, &detail),
            "FieldValueRequired" => Cause::required(field, &detail),
            "FieldValueDuplicate" => Cause::duplicate(&field, json),
            _ if is_shown => Cause::invalid(field, json, &detail),
            _ => Cause::invalid_part(field, &detail),
        });
        Ok(())
    }

    /// The value of the message's expression, if it is usable.
    fn message(
        &mut self,
        rule: Rule<'_>,
        place: &Place<'_>,
        variables: Vec<(String, Value)>,
    ) -> Result<Message, Stopped> {
        let text = rule.text("messageExpression");
        if text.is_empty() {
            return Ok(Message::Default);
        }
        let Ok(program) = rule.compile(text, place.declared, self.deviations) else {
            return Ok(Message::Default);
        };
        Ok(match self.evaluate(&program, variables, place)? {
            Ok(Value::Text(text)) => {
                let text = text.trim();
                let is_usable = !text.is_empty() && text.len() <= MAX_MESSAGE && !text.contains('\n');
                if is_usable { Message::Own(text.to_owned()) } else { Message::Default }
            }
            Err(EvalError::CostExceeded) => {
                let detail = format!(
                    "no further validation rules will be run due to call cost exceeds limit for messageExpression: {text:?}"
                );
                self.invalid(place, &detail);
                return Err(Stopped);
            }
            Err(_) if self.deviations.checks_skipped(Check::MessageFallback) => {
                return Ok(Message::Unreported);
            }
            _ => Message::Default,
        })
    }
}

/// The path with an escaped last name.
fn escaped(path: &str) -> String {
    let (above, name) = path.rsplit_once('.').unwrap_or(("", path));
    format!("{above}.{}", escape(name).unwrap_or_else(|| name.to_owned()))
}
