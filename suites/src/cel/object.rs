//! Objects of a row, and what the server must make of them.

use super::definition::VALIDATIONS;
use super::refusal::{expect_verdict, messages, named_fields};
use super::shared_definition::SharedDefinition;
use super::table::{Json, Mark, Rejected, RuleRow};
use crate::error_response::causes;
use crate::prelude::*;

/// The objects of a row.
pub(super) struct Objects<'a> {
    pub(super) cx: &'a Context,
    pub(super) row: &'a RuleRow,
    pub(super) definition: &'a SharedDefinition,
}

impl Objects<'_> {
    /// The server accepts this object.
    pub(super) async fn expect_accepted(&self, object: &Value) -> Checked {
        let response = self.try_out(object).await?;
        self.accepts(&response, 201, object)
    }

    /// The server rejects this object because of a rule.
    pub(super) async fn expect_rejected(&self, object: &Value) -> Result<Arc<Exchange>, Halt> {
        let response = self.try_out(object).await?;
        self.rejects(&response, object)?;
        Ok(response)
    }

    pub(super) async fn expect_rejected_with(&self, rejected: &Rejected) -> Checked {
        let object = &rejected.object().0;
        let Rejected::With { message, field, reason, .. } = rejected else {
            return self.expect_rejected(object).await.map(drop);
        };
        let response = self.try_out(object).await?;
        // A reason may be one that schemas give as well.
        if reason.is_none() {
            self.rejects(&response, object)?;
        } else {
            self.is_rejection(&response, object)?;
        }
        let causes = causes(&response).unwrap_or_default();
        if let Some(message) = message {
            let found = causes
                .iter()
                .any(|cause| cause["message"].as_str().is_some_and(|text| text.contains(message)));
            response.expect(found, format!("a cause with the message {message}"), messages(&response))?;
        }
        if let Some(field) = field {
            let field = if field.is_empty() { self.place() } else { format!("{}.{field}", self.place()) };
            let named = named_fields(&response);
            response.expect(
                named.contains(&field.as_str()),
                format!("a cause of {field}"),
                named.join(", "),
            )?;
        }
        if let Some(reason) = reason {
            let named: Vec<_> = causes.iter().filter_map(|cause| cause["reason"].as_str()).collect();
            let found = named.contains(&reason.as_str());
            response.expect(found, format!("a cause of reason {reason}"), named.join(", "))?;
        }
        Ok(())
    }

    /// The server accepts or rejects the update of a stored object.
    pub(super) async fn expect_update(&self, [old, new]: &[Json; 2], accepted: bool) -> Checked {
        let stored = self
            .cx
            .send(Request::post(&self.definition.custom_type.path, &self.body(&old.0)))
            .await?
            .written()?;
        let mut body = self.body(&new.0);
        body["metadata"] = json!({ "name": stored.name(), "resourceVersion": stored.version() });
        let path = format!("{}/{}", self.definition.custom_type.path, stored.name());
        let response = self.cx.send(Request::put(&path, &body).query("dryRun", "All")).await?;
        self.cx.send(Request::delete(path)).await?;
        let change = json!([old.0, new.0]);
        if accepted { self.accepts(&response, 200, &change) } else { self.rejects(&response, &change) }
    }

    /// Creates an object as a dry run.
    async fn try_out(&self, object: &Value) -> Result<Arc<Exchange>, Halt> {
        let request =
            Request::post(&self.definition.custom_type.path, &self.body(object)).query("dryRun", "All");
        self.cx.send(request).await
    }

    fn body(&self, object: &Value) -> Value {
        let spec = json!({ self.row.name.as_str(): object });
        let mut body = self.definition.custom_type.object(&self.cx.own_name("cel"), &spec);
        if self.row.is(Mark::AtRoot) {
            for (field, value) in object.as_object().into_iter().flatten() {
                body[field.as_str()] = value.clone();
            }
        }
        body
    }

    fn accepts(&self, response: &Exchange, code: u16, object: &Value) -> Checked {
        let expected = format!("HTTP {code}: {} hold for {}", self.rules(), short(object));
        expect_verdict(self.cx, response, &expected)?;
        let actual = if response.status() == 422 { messages(response) } else { response.brief() };
        response.expect(response.status() == code, expected, actual)
    }

    fn is_rejection(&self, response: &Exchange, object: &Value) -> Checked {
        let what = format!("{} do not hold for {}", self.rules(), short(object));
        expect_verdict(self.cx, response, &what)?;
        response.expect(response.status() == 422, format!("HTTP 422: {what}"), response.brief())?;
        response.expect_error(&[422], &["Invalid"]).map(drop)
    }

    fn rejects(&self, response: &Exchange, object: &Value) -> Checked {
        self.is_rejection(response, object)?;
        if self.is_by_rules(response) {
            return Ok(());
        }
        let why = format!("the object is rejected for another reason: {}", messages(response));
        let what = format!("find out whether {} do not hold for {}", self.rules(), short(object));
        Err(self.cx.test_error(what, why).into())
    }

    /// Whether a cause is of the row, and not of the schema without rules.
    fn is_by_rules(&self, response: &Exchange) -> bool {
        const OF_SCHEMA: &[&str] =
            &["FieldValueTypeInvalid", "FieldValueRequired", "FieldValueNotSupported", "FieldValueDuplicate"];
        let Some(causes) = causes(response) else { return true };
        let place = self.place();
        causes.iter().any(|cause| {
            let here = self.row.is(Mark::AtRoot)
                || cause["field"].as_str().is_none_or(|field| field.starts_with(&place));
            let of_schema = cause["reason"].as_str().is_some_and(|reason| OF_SCHEMA.contains(&reason));
            here && (self.row.is(Mark::BySchema) || !of_schema)
        })
    }

    /// The path of the row's property.
    fn place(&self) -> String {
        format!("spec.{}", self.row.name)
    }

    fn rules(&self) -> String {
        rules_of(self.row)
    }
}

/// The rules of a row as a text for messages.
pub(super) fn rules_of(row: &RuleRow) -> String {
    texts(&super::definition::schema_of(row))
}

/// The rules in a schema as a text for messages.
pub(super) fn texts(schema: &Value) -> String {
    let mut rules = Vec::new();
    collect(schema, &mut rules);
    format!("the rules `{}`", rules.join("`, `"))
}

fn collect(schema: &Value, rules: &mut Vec<String>) {
    let own = schema[VALIDATIONS].as_array().into_iter().flatten();
    rules.extend(own.filter_map(|rule| rule["rule"].as_str()).map(str::to_owned));
    let below = [&schema["items"], &schema["additionalProperties"]];
    let properties = schema["properties"].as_object().into_iter().flat_map(serde_json::Map::values);
    properties.chain(below).filter(|schema| schema.is_object()).for_each(|schema| collect(schema, rules));
}

/// A large object without its middle.
fn short(object: &Value) -> String {
    const LONGEST: usize = 300;
    let text = object.to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    format!("{} … ({} bytes)", text.chars().take(LONGEST / 2).collect::<String>(), text.len())
}
