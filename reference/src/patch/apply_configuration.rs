//! Apply configurations: decoding and validation of apply bodies.

use bytes::Bytes;
use serde_json::Value;

use crate::body::already_set;
use crate::failure::Failure;
use crate::field_validation::FieldCheck;
use crate::managed_fields::{self, Applied, Refused, Writer};
use crate::update::Next;
use crate::{decoder, document, kind};

/// What is applied.
pub(crate) struct Configuration {
    value: Value,
    twice: Vec<String>,
    force: bool,
}

impl Configuration {
    /// Reads what is applied. With force, it is taken from others.
    pub(crate) fn read(body: &Bytes, force: bool) -> Result<Self, Failure> {
        let wrong = |why: &str| Failure::bad_request(format!("error decoding YAML: {why}"));
        let document = if body.iter().all(u8::is_ascii_whitespace) {
            document::read(b"null").map_err(|error| error.to_string())
        } else {
            document::read_yaml(body)
        };
        let first_line = |why: String| why.lines().next().unwrap_or_default().to_owned();
        let document =
            document.map_err(|why| wrong(&format!("error converting YAML to JSON: {}", first_line(why))))?;
        let kind = match &document.value {
            Value::Object(_) | Value::Null => "",
            Value::Array(_) => "array",
            Value::String(_) => "string",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
        };
        if !kind.is_empty() {
            let why = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
            return Err(wrong(&format!("{why} {kind} into Go value of type map[string]interface {{}}")));
        }
        let line = document::repeated_line(body).map(|line| format!("line {line}: ")).unwrap_or_default();
        let twice = document.duplicates.iter().map(|path| format!("{line}{}", already_set(path))).collect();
        Ok(Self { value: document.value, twice, force })
    }

    /// What the live object (or nothing) becomes by it, with its managers; and whether more than these has changed.
    pub(crate) fn merge(
        &self,
        writer: &Writer<'_>,
        live: Option<&Value>,
        check: &mut FieldCheck,
    ) -> Result<(Value, bool), Failure> {
        let applied = Applied { config: &self.value, force: self.force };
        let merged = managed_fields::apply(writer, live, &applied).map_err(failure)?;
        check.applied(&self.twice)?;
        Ok(merged)
    }

    /// What is to be written.
    pub(crate) fn next(
        &self,
        writer: &Writer<'_>,
        live: Option<&Value>,
        check: &mut FieldCheck,
    ) -> Result<Next, Failure> {
        let (mut object, _) = self.merge(writer, live, check)?;
        let managers = managed_fields::entries(&object).clone();
        shape(writer, &mut object)?;
        Ok(Next { object, managers: Some(managers) })
    }
}

/// Gives what was merged the shape of its type.
fn shape(writer: &Writer<'_>, object: &mut Value) -> Result<(), Failure> {
    let unknown = &mut Vec::new();
    let shaped = match (&writer.ty.custom, kind::of(&writer.ty.kind)) {
        (None, Some(kind)) => decoder::object(kind, object, unknown),
        _ => decoder::metadata(&mut object["metadata"], "metadata", unknown),
    };
    shaped
        .map_err(|why| Failure::untranslated(format!("failed to convert new typed object to object: {why}")))
}

/// The refusal as it is answered.
fn failure(refused: Refused) -> Failure {
    match refused {
        Refused::Bad(why) => Failure::bad_request(why),
        Refused::Conflicts(conflicts, message) => Failure::managed_by_others(&conflicts, message),
        Refused::Error(why) => Failure::untranslated(why),
    }
}
