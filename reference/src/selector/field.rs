//! Field selectors: parsing and matching of `metadata.name=a,metadata.namespace!=b`.

use serde_json::Value;

use crate::failure::Failure;
use crate::resource_type::ResourceType;

/// A conjunction of conditions on fields.
#[derive(Debug, Default, Clone)]
pub(crate) struct FieldSelector(Vec<Term>);

#[derive(Debug, Clone)]
struct Term {
    pointer: String,
    value: String,
    equal: bool,
}

impl FieldSelector {
    pub(super) fn parse(text: &str, ty: &ResourceType) -> Result<Self, Failure> {
        let terms = split(text).into_iter().filter(|term| !term.is_empty());
        terms.map(|term| Term::parse(&term, ty)).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn matches(&self, object: &Value) -> bool {
        self.0.iter().all(|term| term.matches(object))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn requires_name(&self) -> bool {
        self.0.iter().any(|term| term.equal && term.pointer == "/metadata/name")
    }
}

impl Term {
    fn parse(term: &str, ty: &ResourceType) -> Result<Self, Failure> {
        let (field, equal, value) = if let Some((field, value)) = term.split_once("!=") {
            (field, false, value)
        } else if let Some((field, value)) = term.split_once("==") {
            (field, true, value)
        } else if let Some((field, value)) = term.split_once('=') {
            (field, true, value)
        } else {
            let message = format!("invalid selector: '{term}'; can't understand '{term}'");
            return Err(Failure::bad_request(message));
        };
        if !selectable(field, ty) {
            return Err(unknown(field, ty));
        }
        let value = value.replace("\\,", ",").replace("\\=", "=").replace("\\\\", "\\");
        Ok(Self { pointer: format!("/{}", field.replace('.', "/")), value, equal })
    }

    fn matches(&self, object: &Value) -> bool {
        let actual = match object.pointer(&self.pointer) {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            Some(other) => other.to_string(),
        };
        (actual == self.value) == self.equal
    }
}

fn selectable(field: &str, ty: &ResourceType) -> bool {
    match field {
        "metadata.name" => true,
        "metadata.namespace" => ty.namespaced || ty.custom.is_none(),
        field if ty.custom.is_some() => {
            let paths = ty.custom.iter().flat_map(|custom| &custom.selectable);
            paths.map(|path| path.trim_start_matches('.')).any(|path| path == field)
        }
        "spec.nodeName" | "spec.restartPolicy" | "status.phase" | "status.podIP" if ty.plural == "pods" => {
            true
        }
        "status.phase" => ty.plural == "namespaces",
        "type" => matches!(ty.plural.as_str(), "secrets" | "events"),
        "reason" => ty.plural == "events",
        field => ty.plural == "events" && field.starts_with("involvedObject."),
    }
}

fn unknown(field: &str, ty: &ResourceType) -> Failure {
    Failure::bad_request(match &ty.custom {
        Some(_) => format!("field label not supported: {field}"),
        None => {
            format!("{field:?} is not a known field selector: only \"metadata.name\", \"metadata.namespace\"")
        }
    })
}

/// Splits at unescaped commas.
fn split(text: &str) -> Vec<String> {
    let mut terms = vec![String::new()];
    let mut escaped = false;
    for character in text.chars() {
        if character == ',' && !escaped {
            terms.push(String::new());
        } else if let Some(last) = terms.last_mut() {
            last.push(character);
        }
        escaped = character == '\\' && !escaped;
    }
    terms
}
