//! Whether the object of an event is one of the watched collection, and the one that was written.

use memchr::memmem::Finder;

use super::event::{NAME, ObjectHead, ScannedEvent};
use crate::population::is_name;

/// The maximum length of a server's text in a mismatch, in characters: whole credentials, so that they are found and hidden.
const LONGEST: usize = 4_096;

/// What all objects of a collection have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collection {
    /// The apiVersion.
    pub api_version: String,
    /// The kind.
    pub kind: String,
    /// The namespace.
    pub namespace: String,
}

/// Finds the same in the bytes of events.
pub(crate) struct CollectionFinder {
    collection: Collection,
    fields: [Finder<'static>; 3],
}

impl CollectionFinder {
    pub(crate) fn new(collection: &Collection) -> Self {
        let fields = [
            ("kind", &collection.kind),
            ("apiVersion", &collection.api_version),
            ("namespace", &collection.namespace),
        ];
        let fields = fields
            .map(|(name, value)| Finder::new(format!("\"{name}\":\"{value}\"").as_bytes()).into_owned());
        Self { collection: collection.clone(), fields }
    }

    /// Why an event is not of an object of the collection, or not of the written object, if that is known.
    ///
    /// If the texts are not found, the parser decides: JSON has many spellings.
    pub(crate) fn mismatch(
        &self,
        event: &ScannedEvent<'_>,
        frame: &[u8],
        written: Option<u32>,
    ) -> Option<String> {
        if event.version.is_empty() {
            return Some("its resourceVersion is missing".to_owned());
        }
        match &event.head {
            Some(head) => self.mismatch_of_head(head, written),
            None if self.is_found(frame, written) => None,
            None => self.mismatch_of_head(&ScannedEvent::parse(frame).head?, written),
        }
    }

    fn is_found(&self, frame: &[u8], written: Option<u32>) -> bool {
        let has_name = |object| {
            NAME.find_iter(frame).any(|at| {
                let name = &frame[at + NAME.needle().len()..];
                memchr::memchr(b'"', name).is_some_and(|end| is_name(&name[..end], object))
            })
        };
        self.fields.iter().all(|field| field.find(frame).is_some()) && written.is_none_or(has_name)
    }

    fn mismatch_of_head(&self, head: &ObjectHead, written: Option<u32>) -> Option<String> {
        let Collection { api_version, kind, namespace } = &self.collection;
        let fields = [
            ("kind", &head.kind, kind),
            ("apiVersion", &head.api_version, api_version),
            ("namespace", &head.namespace, namespace),
        ];
        let shorten = |text: &str| text.chars().take(LONGEST).collect::<String>();
        if let Some((field, actual, expected)) = fields.into_iter().find(|(_, actual, own)| actual != own) {
            return Some(format!("its {field} is {:?}, not {expected:?}", shorten(actual)));
        }
        let is_other = written.is_some_and(|object| !is_name(head.name.as_bytes(), object));
        is_other.then(|| format!("its name is {:?}, unlike that of the written object", shorten(&head.name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: &str = r#"{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"o7","namespace":"n","resourceVersion":"42"}}}"#;

    fn mismatch(text: &str) -> Option<String> {
        let collection = Collection {
            api_version: "v1".to_owned(),
            kind: "ConfigMap".to_owned(),
            namespace: "n".to_owned(),
        };
        let (finder, frame) = (CollectionFinder::new(&collection), text.as_bytes());
        let parsed = finder.mismatch(&ScannedEvent::parse(frame), frame, Some(7));
        if let Some(glance) = ScannedEvent::glance(frame) {
            assert_eq!(finder.mismatch(&glance, frame, Some(7)), parsed, "{text}");
        }
        parsed
    }

    #[test]
    fn an_event_of_the_written_object_fits_in_every_spelling() {
        let spaced = RIGHT.replace(':', ": ");
        let escaped = RIGHT.replace("\"o7\"", r#""\u006f7""#);
        let named_label = RIGHT.replace("\"name\"", r#""labels":{"name":"x"},"name""#);
        for text in [RIGHT, &spaced, &escaped, &named_label] {
            assert_eq!(mismatch(text), None, "{text}");
        }
    }

    #[test]
    fn an_event_of_another_object_does_not_fit() {
        for (field, from, to) in [
            ("kind", "ConfigMap", "Secret"),
            ("apiVersion", "\"v1\"", "\"v2\""),
            ("namespace", "\"n\"", "\"m\""),
            ("name", "\"o7\"", "\"o70\""),
            ("name", "\"o7\"", "\"q7\""),
            ("name", "\"name\"", "\"names\""),
            ("resourceVersion", "\"42\"", "\"\""),
            ("resourceVersion", "resourceVersion", "resourceVersions"),
        ] {
            let mismatch = mismatch(&RIGHT.replace(from, to)).unwrap();
            assert!(mismatch.starts_with(&format!("its {field} is ")), "{mismatch}");
        }
    }
}
