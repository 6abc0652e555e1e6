//! Apply configurations: decoding and validation of apply bodies.

use bytes::Bytes;
use serde_json::Value;

use crate::body::already_set;
use crate::failure::Failure;
use crate::field_validation::FieldCheck;
use crate::managed_fields::{self, Applied, Refused, Writer};
use crate::resource_type::ResourceType;
use crate::update::Next;
use crate::{cbor, decoder, document, kind};

/// The configuration of an apply.
pub(crate) struct Configuration {
    value: Value,
    duplicates: Vec<String>,
    force: bool,
}

impl Configuration {
    /// Decodes a configuration. With `force`, conflicts do not fail.
    pub(crate) fn read(media: &str, body: &Bytes, force: bool) -> Result<Self, Failure> {
        if media == super::APPLY_CBOR {
            let value = cbor::read(body).map_err(Failure::bad_request)?;
            return Ok(Self { value, duplicates: Vec::new(), force });
        }
        let decoding_error = |detail: &str| Failure::bad_request(format!("error decoding YAML: {detail}"));
        let document = if body.iter().all(u8::is_ascii_whitespace) {
            document::read(b"null").map_err(|error| error.to_string())
        } else {
            document::read_yaml(body)
        };
        let first_line = |detail: String| detail.lines().next().unwrap_or_default().to_owned();
        let document = document.map_err(|detail| {
            decoding_error(&format!("error converting YAML to JSON: {}", first_line(detail)))
        })?;
        let kind = match &document.value {
            Value::Object(_) | Value::Null => "",
            Value::Array(_) => "array",
            Value::String(_) => "string",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
        };
        if !kind.is_empty() {
            let detail = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
            return Err(decoding_error(&format!(
                "{detail} {kind} into Go value of type map[string]interface {{}}"
            )));
        }
        let line = document::repeated_line(body).map(|line| format!("line {line}: ")).unwrap_or_default();
        let duplicates =
            document.duplicates.iter().map(|path| format!("{line}{}", already_set(path))).collect();
        Ok(Self { value: document.value, duplicates, force })
    }

    /// The configuration with the stored names of the type's fields.
    pub(crate) fn of_type(mut self, ty: &ResourceType) -> Self {
        ty.rename_fields(&mut self.value);
        self
    }

    /// The object after the apply, with its managers; true if any other field changes.
    pub(crate) fn merge(
        &self,
        writer: &Writer<'_>,
        live: Option<&Value>,
        check: &mut FieldCheck,
    ) -> Result<(Value, bool), Failure> {
        let applied = Applied { config: &self.value, force: self.force };
        let merged = managed_fields::apply(writer, live, &applied).map_err(failure)?;
        check.applied(&self.duplicates)?;
        Ok(merged)
    }

    /// The object to write.
    pub(crate) fn next(
        &self,
        writer: &Writer<'_>,
        live: Option<&Value>,
        check: &mut FieldCheck,
    ) -> Result<Next, Failure> {
        let (mut object, _) = self.merge(writer, live, check)?;
        let managers = managed_fields::take_entries(&mut object);
        decode_merged(writer, &mut object)?;
        Ok(Next { object, managers: Some(managers) })
    }
}

/// Decodes a merged object as its type.
fn decode_merged(writer: &Writer<'_>, object: &mut Value) -> Result<(), Failure> {
    let unknown = &mut Vec::new();
    let decoded = match (&writer.ty.custom, kind::of_type(writer.ty)) {
        (None, Some(kind)) => decoder::object(kind, object, unknown),
        _ => decoder::metadata(&mut object["metadata"], "metadata", unknown),
    };
    decoded.map_err(|detail| {
        Failure::untranslated(format!("failed to convert new typed object to object: {detail}"))
    })
}

/// The response for a failed apply.
fn failure(problem: Refused) -> Failure {
    match problem {
        Refused::Bad(detail) => Failure::bad_request(detail),
        Refused::Conflicts(conflicts, message) => Failure::managed_by_others(&conflicts, message),
        Refused::Error(detail) => Failure::untranslated(detail),
    }
}
