//! Definitions of custom resources with rules.

use super::schema;
use super::table::{Refused, RuleRow};
use crate::definitions::{self, DEFINITIONS, PLURAL};
use crate::prelude::*;

/// The type that a definition defines.
#[derive(Debug, Clone)]
pub(super) struct CustomType {
    group: String,
    /// The path of its objects.
    pub(super) path: String,
}

impl CustomType {
    pub(super) fn of(definition: &Value) -> Self {
        let group = definition["spec"]["group"].as_str().unwrap_or_default();
        Self { group: group.to_owned(), path: format!("/apis/{group}/v1/{PLURAL}") }
    }

    /// An object with this specification.
    pub(super) fn object(&self, name: &str, spec: &Value) -> Value {
        json!({
            "apiVersion": format!("{}/v1", self.group),
            "kind": "Trier",
            "metadata": { "name": name },
            "spec": spec,
        })
    }

    /// The path of the definition.
    pub(super) fn definition_path(&self) -> String {
        format!("{DEFINITIONS}/{PLURAL}.{}", self.group)
    }

    /// The definition of the same type with another schema.
    pub(super) fn with_schema(&self, cx: &Context, schema: &Value) -> Value {
        of_group(cx, &self.group, schema)
    }
}

/// The field of a schema that has rules.
pub(super) const VALIDATIONS: &str = "x-kubernetes-validations";

/// The definition of a type without namespaces whose objects have this schema.
pub(super) fn of_schema(cx: &Context, what: &str, schema: &Value) -> Value {
    of_group(cx, &definitions::group(cx, what), schema)
}

/// The same in a group.
fn of_group(cx: &Context, group: &str, schema: &Value) -> Value {
    let mut definition = definitions::body(cx, group);
    definition["spec"]["scope"] = "Cluster".into();
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema.clone();
    definition
}

/// The same, with this schema of `spec`.
pub(super) fn of_spec(cx: &Context, what: &str, spec: &Value) -> Value {
    of_schema(cx, what, &root(spec))
}

/// The schema of an object with this schema of `spec`.
pub(super) fn root(spec: &Value) -> Value {
    json!({ "type": "object", "properties": { "spec": spec } })
}

/// The schema of a row with its rules.
pub(super) fn schema_of(row: &RuleRow) -> Value {
    with_rules(schema::object(&row.fields), row.rules.iter().map(rule).collect())
}

/// The schema of a row with a rule that the server must refuse.
pub(super) fn refused_schema(row: &RuleRow, refused: &Refused) -> Value {
    let (fields, rules) = match refused {
        Refused::Rule(rule) => (None, vec![json!({ "rule": rule })]),
        Refused::With { fields, rule: refused } => (fields.as_ref(), refused.iter().map(rule).collect()),
    };
    with_rules(schema::object(fields.unwrap_or(&row.fields)), rules)
}

/// The schema of an object with a number `x` and this rule.
pub(super) fn with_rule(rule: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "x": { "type": "integer" } } });
    with_rules(schema, vec![json!({ "rule": rule })])
}

/// A schema with these rules.
pub(super) fn with_rules(mut schema: Value, rules: Vec<Value>) -> Value {
    if !rules.is_empty() {
        schema[VALIDATIONS] = rules.into();
    }
    schema
}

/// A rule as definitions have it; a text is the rule alone.
fn rule(rule: &toml::Value) -> Value {
    match rule {
        toml::Value::String(text) => json!({ "rule": text }),
        fields => serde_json::to_value(fields).unwrap_or_default(),
    }
}

/// Tries to create a definition as a dry run.
pub(super) async fn try_out(cx: &Context, definition: &Value) -> Result<Arc<Exchange>, Halt> {
    let request = Request::post(DEFINITIONS, definition).query("dryRun", "All");
    let tried = cx.send(request).await?;
    if tried.succeeded() {
        // The server may have ignored the dry run.
        cx.remove_in_the_end(&definitions::path(definition));
    }
    Ok(tried)
}
