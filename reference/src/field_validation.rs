//! Field validation: Ignore, Warn and Strict for unknown and duplicate fields.

use axum::response::Response;
use http::header::{HeaderValue, WARNING};
use serde_json::Value;

use crate::failure::Failure;
use crate::kind;
use crate::resource_type::ResourceType;
use crate::{decoder, schema};

/// The maximum number of findings.
const MOST: usize = 100;

/// The value of `fieldValidation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Report nothing.
    Ignore,
    /// Warn the client.
    Warn,
    /// Reject the request.
    Strict,
}

impl Level {
    /// The valid values, in the order of error messages.
    pub(crate) const NAMES: &'static [&'static str] = &["", "Ignore", "Strict", "Warn"];

    /// The level of a value; case-sensitive.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "" | "Warn" => Some(Self::Warn),
            "Ignore" => Some(Self::Ignore),
            "Strict" => Some(Self::Strict),
            _ => None,
        }
    }
}

/// The field validation of one request, with its warnings.
pub(crate) struct FieldCheck {
    level: Level,
    warnings: Vec<String>,
}

impl FieldCheck {
    pub(crate) fn new(level: Level) -> Self {
        Self { level, warnings: Vec::new() }
    }

    /// Decodes an object as its type. The error is a type error, or the findings in strict validation.
    pub(crate) fn decode(
        &mut self,
        ty: &ResourceType,
        object: &mut Value,
        duplicates: &[String],
    ) -> Result<(), String> {
        let mut unknown = Vec::new();
        match (&ty.custom, kind::of_type(ty)) {
            (None, Some(kind)) => decoder::object(kind, object, &mut unknown)?,
            (custom, _) => {
                decoder::metadata(&mut object["metadata"], "metadata", &mut unknown)?;
                if let Some(custom) = custom {
                    schema::prune(custom, object, &mut unknown)?;
                    schema::drop_nulls(custom, object);
                }
            }
        }
        let unknown =
            unknown.into_iter().map(|field| format!("unknown field {:?}", ty.name_in_request(field)));
        let mut findings: Vec<String> = Vec::new();
        for finding in duplicates.iter().cloned().chain(unknown) {
            if !findings.contains(&finding) && findings.len() < MOST {
                findings.push(finding);
            }
        }
        match self.level {
            Level::Strict if !findings.is_empty() => {
                return Err(format!("strict decoding error: {}", findings.join(", ")));
            }
            Level::Warn => self.warnings.extend(findings),
            Level::Strict | Level::Ignore => {}
        }
        Ok(())
    }

    /// The same for a whole object in a request body.
    pub(crate) fn decode_body(
        &mut self,
        ty: &ResourceType,
        object: &mut Value,
        duplicates: &[String],
    ) -> Result<(), Failure> {
        self.decode(ty, object, duplicates).map_err(|detail| Failure::undecodable(ty, &detail))
    }

    /// Reports duplicate keys of an apply; an apply always rejects unknown fields.
    pub(crate) fn applied(&mut self, duplicates: &[String]) -> Result<(), Failure> {
        match self.level {
            Level::Strict if !duplicates.is_empty() => Err(Failure::bad_request(format!(
                "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  {}",
                duplicates.join("\n  ")
            ))),
            Level::Warn => {
                for finding in duplicates {
                    self.warn(finding.clone());
                }
                Ok(())
            }
            Level::Strict | Level::Ignore => Ok(()),
        }
    }

    /// Adds a warning.
    pub(crate) fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Adds the warnings to a response.
    pub(crate) fn add_warnings_to(&self, response: &mut Response) {
        for text in &self.warnings {
            if let Ok(value) = warning(text) {
                response.headers_mut().append(WARNING, value);
            }
        }
    }
}

/// A warning in the format of the header.
pub(crate) fn warning(text: &str) -> Result<HeaderValue, http::header::InvalidHeaderValue> {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    HeaderValue::from_bytes(format!("299 - \"{escaped}\"").as_bytes())
}

/// The message for a duplicate field.
pub(crate) fn duplicate(path: &str) -> String {
    format!("duplicate field {path:?}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn config_maps() -> ResourceType {
        ResourceType { kind: "ConfigMap".to_owned(), version: "v1".to_owned(), ..ResourceType::default() }
    }

    fn checked(level: Level) -> (Result<(), String>, Vec<String>, Value) {
        let mut check = FieldCheck::new(level);
        let mut object = json!({"metadata": {"name": "a", "x": 1}, "bogus": 1, "data": {"k": "2"}});
        let result = check.decode(&config_maps(), &mut object, &[duplicate("data.k")]);
        (result, check.warnings, object)
    }

    #[test]
    fn each_level_has_its_consequence() {
        let dropped = json!({"metadata": {"name": "a"}, "data": {"k": "2"}});
        let expected =
            ["duplicate field \"data.k\"", "unknown field \"metadata.x\"", "unknown field \"bogus\""];
        let (result, warnings, object) = checked(Level::Warn);
        assert_eq!((result, object), (Ok(()), dropped.clone()));
        assert_eq!(warnings, expected);
        let (result, warnings, object) = checked(Level::Ignore);
        assert_eq!((result, warnings, object), (Ok(()), Vec::new(), dropped));
        let (result, warnings, _) = checked(Level::Strict);
        assert_eq!(result.unwrap_err(), format!("strict decoding error: {}", expected.join(", ")));
        assert_eq!(warnings, Vec::<String>::new());
    }

    #[test]
    fn warnings_are_quoted() {
        let value = warning("unknown field \"a\\b\"").unwrap();
        assert_eq!(value.to_str().unwrap(), r#"299 - "unknown field \"a\\b\"""#);
    }
}
