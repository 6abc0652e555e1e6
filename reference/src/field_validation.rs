//! Field validation: Ignore, Warn and Strict for unknown and duplicate fields.

use axum::response::Response;
use http::header::{HeaderValue, WARNING};
use serde_json::Value;

use crate::failure::Failure;
use crate::kind;
use crate::resource_type::ResourceType;
use crate::{decoder, schema};

/// How many findings are told at most.
const MOST: usize = 100;

/// How strict a request wants the server to be (`fieldValidation`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Nobody is told.
    Ignore,
    /// The client is warned.
    Warn,
    /// The request is refused.
    Strict,
}

impl Level {
    /// The names that a request can use, in the order in which they are listed.
    pub(crate) const NAMES: &'static [&'static str] = &["", "Ignore", "Strict", "Warn"];

    /// A level by its name; the case counts.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "" | "Warn" => Some(Self::Warn),
            "Ignore" => Some(Self::Ignore),
            "Strict" => Some(Self::Strict),
            _ => None,
        }
    }
}

/// The check of the fields of one request, and what it has found.
pub(crate) struct FieldCheck {
    level: Level,
    warnings: Vec<String>,
}

impl FieldCheck {
    /// A check that has found nothing yet.
    pub(crate) fn new(level: Level) -> Self {
        Self { level, warnings: Vec::new() }
    }

    /// Gives an object the shape of its type. `found` is what was found while it was read. The error is why it cannot
    /// be an object of the type, or what a strict check does not let pass.
    pub(crate) fn decode(
        &mut self,
        ty: &ResourceType,
        object: &mut Value,
        found: &[String],
    ) -> Result<(), String> {
        let mut unknown = Vec::new();
        match (&ty.custom, kind::of(&ty.kind)) {
            (None, Some(kind)) => decoder::object(kind, object, &mut unknown)?,
            (custom, _) => {
                decoder::metadata(&mut object["metadata"], "metadata", &mut unknown)?;
                if let Some(custom) = custom {
                    schema::prune(custom, object, &mut unknown)?;
                    schema::drop_nulls(custom, object);
                }
            }
        }
        let unknown = unknown.iter().map(|field| format!("unknown field {field:?}"));
        let mut findings: Vec<String> = Vec::new();
        for finding in found.iter().cloned().chain(unknown) {
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

    /// The same for an object that is sent as a whole.
    pub(crate) fn decode_body(
        &mut self,
        ty: &ResourceType,
        object: &mut Value,
        found: &[String],
    ) -> Result<(), Failure> {
        self.decode(ty, object, found).map_err(|why| Failure::undecodable(ty, &why))
    }

    /// What becomes of keys that come twice in what is applied; fields that there are not are refused in any case.
    pub(crate) fn applied(&mut self, twice: &[String]) -> Result<(), Failure> {
        match self.level {
            Level::Strict if !twice.is_empty() => Err(Failure::bad_request(format!(
                "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  {}",
                twice.join("\n  ")
            ))),
            Level::Warn => {
                for finding in twice {
                    self.warn(finding.clone());
                }
                Ok(())
            }
            Level::Strict | Level::Ignore => Ok(()),
        }
    }

    /// Warns of something else.
    pub(crate) fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Writes the warnings on a response.
    pub(crate) fn tell(&self, response: &mut Response) {
        for text in &self.warnings {
            if let Ok(value) = warning(text) {
                response.headers_mut().append(WARNING, value);
            }
        }
    }
}

/// A warning as it stands in a header.
pub(crate) fn warning(text: &str) -> Result<HeaderValue, http::header::InvalidHeaderValue> {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    HeaderValue::from_bytes(format!("299 - \"{escaped}\"").as_bytes())
}

/// How a field that comes twice receives.
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
        let told = ["duplicate field \"data.k\"", "unknown field \"metadata.x\"", "unknown field \"bogus\""];
        let (result, warnings, object) = checked(Level::Warn);
        assert_eq!((result, object), (Ok(()), dropped.clone()));
        assert_eq!(warnings, told);
        let (result, warnings, object) = checked(Level::Ignore);
        assert_eq!((result, warnings, object), (Ok(()), Vec::new(), dropped));
        let (result, warnings, _) = checked(Level::Strict);
        assert_eq!(result.unwrap_err(), format!("strict decoding error: {}", told.join(", ")));
        assert_eq!(warnings, Vec::<String>::new());
    }

    #[test]
    fn warnings_are_quoted() {
        let value = warning("unknown field \"a\\b\"").unwrap();
        assert_eq!(value.to_str().unwrap(), r#"299 - "unknown field \"a\\b\"""#);
    }
}
