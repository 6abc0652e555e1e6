//! Validation rules: `x-kubernetes-validations` of definitions, and their enforcement on custom resources.

mod definitions;
mod field_path;
mod objects;

use serde_json::Value as Json;

use super::Program;
use super::deviation::{Check, Deviations};
use super::schema_types::Declared;
use super::types::Type;

pub(crate) use definitions::definition_errors;
pub(crate) use objects::object_errors;

const RULES: &str = "x-kubernetes-validations";
const SELF: &str = "self";
const OLD_SELF: &str = "oldSelf";

/// Whether a schema has rules, anywhere.
pub(crate) fn has_rules(schema: &Json) -> bool {
    let below = [&schema["items"], &schema["additionalProperties"]];
    let properties = schema["properties"].as_object().into_iter().flat_map(serde_json::Map::values);
    schema.get(RULES).is_some()
        || properties.chain(below).any(|schema| schema.is_object() && has_rules(schema))
}

/// A rule of a schema.
#[derive(Clone, Copy)]
struct Rule<'a>(&'a Json);

impl<'a> Rule<'a> {
    fn all(schema: &'a Json) -> impl Iterator<Item = Self> {
        schema[RULES].as_array().into_iter().flatten().map(Self)
    }

    fn text(self, field: &str) -> &'a str {
        self.0[field].as_str().unwrap_or_default()
    }

    fn expression(self) -> &'a str {
        self.text("rule")
    }

    fn has_optional_old_self(self) -> bool {
        self.0["optionalOldSelf"] == true
    }

    /// The text that names the rule in errors.
    fn label(self) -> &'a str {
        match self.text("message").trim() {
            "" => self.expression().trim(),
            message => message,
        }
    }

    /// Compiles the rule, or its message, for values of a type.
    fn compile(self, text: &str, declared: &Declared, deviations: &Deviations) -> Result<Program, String> {
        let old = if self.has_optional_old_self() { Type::optional(declared.ty()) } else { declared.ty() };
        let mut environment = declared.environment(&[(SELF, declared.ty()), (OLD_SELF, old)]);
        if deviations.checks_skipped(Check::AuthorizerInRules) {
            environment.declare("authorizer", Type::object("kubernetes.authorization.Authorizer"));
        }
        Program::compile(text, &environment, deviations)
    }
}

/// The type of a schema's values, with a name that is new each time: no rule can depend on it.
fn declared(schema: &Json, is_root: bool, deviations: &Deviations) -> Option<Declared> {
    let name = format!("selfType{}", fastrand::u32(..));
    let is_object = is_root || schema["x-kubernetes-embedded-resource"] == true;
    Declared::of(
        &deviations.seen(schema),
        &name,
        is_object && !deviations.checks_skipped(Check::RootMetadata),
    )
}
