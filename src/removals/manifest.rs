//! The objects in a document of YAML: their API, their name, and the line of their `apiVersion`.

use std::fmt;

use harness::yaml_error;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::DuplicateKeyPolicy;
use serde_saphyr::{Spanned, budget, options};

use super::documents::Document;

/// The maximum depth of a document. The schemas of definitions are the deepest.
const DEEPEST: usize = 200;

/// The maximum number of values in a document; one of 16 MB has fewer if its objects are Kubernetes' own.
const MOST_VALUES: usize = 1_500_000;

/// An object, as far as it names its API.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ManifestObject {
    pub(super) version: String,
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) line: u64,
}

/// The content of a document.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// The objects, those of lists among them.
    pub(super) objects: Vec<ManifestObject>,
    /// What could not be read, each with its line.
    pub(super) errors: Vec<String>,
    /// The lines of values without apiVersion or kind: other programs have such documents, in files of their own.
    pub(super) unnamed: Vec<u64>,
}

/// Reads a document.
pub(super) fn content(document: &Document) -> Content {
    let limits = budget! {
        max_depth: DEEPEST, flow_nesting_limit: DEEPEST, max_nodes: MOST_VALUES, max_events: 2 * MOST_VALUES,
    };
    let options = options! {
        budget: limits, emit_comments: false, duplicate_keys: DuplicateKeyPolicy::LastWins, with_snippet: false,
    };
    let first = document.line;
    let at = |line: u64| first + line.saturating_sub(1);
    let bytes = document.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&document.bytes);
    let mut content = Content::default();
    match serde_saphyr::from_slice_multiple_with_options::<Spanned<Part>>(bytes, options) {
        Ok(parts) => {
            for Spanned { value: part, referenced, .. } in parts {
                if let Some((key, line)) = &part.repeated_key {
                    content.errors.push(format!("line {}: it has the key {key} twice", at(*line)));
                }
                if part.text.is_some() {
                    content.errors.push(format!("line {first}: the document is no object"));
                } else if part.is_collection && !part.is_object() {
                    content.unnamed.push(at(referenced.line()));
                }
                part.collect(&at, &mut content);
            }
        }
        Err(why) => {
            let line = why.location().map_or(first, |location| at(location.line()));
            content.objects.extend(literal(bytes, first));
            content.errors.push(format!("line {line}: {}", yaml_error(&why)));
        }
    }
    content
}

/// The object that a template names, such as one of Helm that is not rendered: version and kind are whole lines.
fn literal(bytes: &[u8], first: u64) -> Option<ManifestObject> {
    let text = String::from_utf8_lossy(bytes);
    let value = |key: &str| {
        let mut lines = text.lines().zip(first..);
        lines.find_map(|(line, number)| {
            let value = line.strip_prefix(key)?.strip_prefix(':')?.split(" #").next()?;
            Some((value.trim().trim_matches(['"', '\'']).to_owned(), number))
        })
    };
    let ((version, line), (kind, _)) = (value("apiVersion")?, value("kind")?);
    Some(ManifestObject { version, kind, namespace: String::new(), name: String::new(), line })
}

/// A value, as far as it names an API. Anything else in its place is accepted: other programs have such documents too.
#[derive(Default)]
struct Part {
    text: Option<String>,
    fields: Vec<(Field, u64, Part)>,
    /// Those of the elements that name an API.
    elements: Vec<Part>,
    /// Whether another element names none.
    has_unnamed: bool,
    /// Whether it is a map or a sequence.
    is_collection: bool,
    /// A key that a map in it has twice, and the line of the second one: programs differ in which of them counts.
    repeated_key: Option<(String, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    ApiVersion,
    Kind,
    Metadata,
    Items,
    Namespace,
    Name,
    GenerateName,
}

impl Field {
    fn of(key: &str) -> Option<Self> {
        Some(match key {
            "apiVersion" => Self::ApiVersion,
            "kind" => Self::Kind,
            "metadata" => Self::Metadata,
            "items" => Self::Items,
            "namespace" => Self::Namespace,
            "name" => Self::Name,
            "generateName" => Self::GenerateName,
            _ => return None,
        })
    }
}

impl Part {
    fn field(&self, wanted: Field) -> Option<&(Field, u64, Part)> {
        self.fields.iter().rev().find(|(field, ..)| *field == wanted)
    }

    fn text_of(&self, field: Field) -> Option<&str> {
        self.field(field)?.2.text.as_deref()
    }

    /// Whether it says what it is.
    fn is_object(&self) -> bool {
        self.text_of(Field::ApiVersion).is_some() && self.text_of(Field::Kind).is_some()
    }

    /// Adds the object, or those of a list.
    fn collect(mut self, at: &impl Fn(u64) -> u64, content: &mut Content) {
        let (Some((_, line, version)), Some(kind)) =
            (self.field(Field::ApiVersion), self.text_of(Field::Kind))
        else {
            return;
        };
        let (Some(version), line, kind) = (version.text.clone(), at(*line), kind.to_owned()) else { return };
        let list = kind.strip_suffix("List").map(str::to_owned);
        let items = self.fields.iter_mut().find(|(field, ..)| list.is_some() && *field == Field::Items);
        let items = items.map(|(.., items)| std::mem::take(items)).unwrap_or_default();
        if kind == "List" && items.has_unnamed {
            content.errors.push(format!("line {line}: the list has an item without apiVersion or kind"));
        }
        let elements = items.elements;
        let metadata = self.field(Field::Metadata).map(|(.., metadata)| metadata);
        let text = |field| metadata.and_then(|metadata| metadata.text_of(field)).unwrap_or_default();
        let name = if text(Field::Name).is_empty() { text(Field::GenerateName) } else { text(Field::Name) };
        // The objects of a list need not repeat what they are. kubectl writes a List without items if it finds nothing.
        if elements.is_empty() && kind != "List" {
            content.objects.push(ManifestObject {
                version,
                kind: list.filter(|kind| !kind.is_empty()).unwrap_or(kind),
                namespace: text(Field::Namespace).to_owned(),
                name: name.to_owned(),
                line,
            });
        }
        for element in elements {
            element.collect(at, content);
        }
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Part;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Part, E> {
        Ok(Part { text: Some(text.to_owned()), ..Part::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Part, A::Error> {
        let mut part = Part { is_collection: true, ..Part::default() };
        while let Some(Spanned { value: key, referenced, .. }) = map.next_key::<Spanned<Part>>()? {
            let Some(field) = key.text.as_deref().and_then(Field::of) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let mut value = map.next_value::<Spanned<Part>>()?;
            if part.field(field).is_some() {
                part.repeated_key = key.text.map(|key| (key, referenced.line()));
            }
            part.repeated_key = part.repeated_key.or(value.value.repeated_key.take());
            part.fields.push((field, value.referenced.line(), value.value));
        }
        Ok(part)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Part, A::Error> {
        let mut part = Part { is_collection: true, ..Part::default() };
        while let Some(mut element) = sequence.next_element::<Part>()? {
            part.repeated_key = part.repeated_key.or(element.repeated_key.take());
            part.has_unnamed |= !element.is_object();
            part.elements.extend(Some(element).filter(Part::is_object));
        }
        Ok(part)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_i128<E>(self, _: i128) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_u128<E>(self, _: u128) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_unit<E>(self) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_none<E>(self) -> Result<Part, E> {
        Ok(Part::default())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Part, D::Error> {
        Part::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests;
