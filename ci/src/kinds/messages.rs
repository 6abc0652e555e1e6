//! The field numbers of the kinds in protobuf, from the published `generated.proto` files.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Messages by the full names of their schemas, such as `io.k8s.api.core.v1.Pod`.
#[derive(Debug, Default)]
pub(super) struct Messages {
    all: BTreeMap<String, Fields>,
}

/// The number of messages around a field that JSON leaves out, at most.
const DEPTH: usize = 2;

/// Fields by name.
type Fields = BTreeMap<String, Field>;

#[derive(Debug)]
struct Field {
    number: u32,
    /// The type, as far as it is a name of the same file.
    ty: String,
}

/// The files with the messages of these schemas, below `staging/src` of the Kubernetes repository.
///
/// `io.k8s.api.core.v1.Pod` is in `k8s.io/api/core/v1/generated.proto`.
pub(super) fn files<'a>(schemas: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    let file = |full: &String| {
        let folders = package(full)?.strip_prefix("io.k8s.")?.replace('.', "/");
        Some(format!("k8s.io/{folders}/generated.proto"))
    };
    schemas.filter_map(file).collect()
}

fn package(full: &str) -> Option<&str> {
    full.rsplit_once('.').map(|(package, _)| package)
}

impl Messages {
    /// Adds the messages of a file. It is generated: each field has a line of its own, and no message contains another.
    pub(super) fn add(&mut self, file: &str, text: &str) {
        let folders = file.trim_start_matches("k8s.io/").trim_end_matches("/generated.proto");
        let package = format!("io.k8s.{}", folders.replace('/', "."));
        let mut message = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("message ").and_then(|rest| rest.strip_suffix(" {")) {
                message = Some(format!("{package}.{name}"));
            } else if let (Some(name), Some((field, content))) = (&message, read_field(line)) {
                self.all.entry(name.clone()).or_default().insert(field, content);
            }
        }
    }

    /// The number of a field of a schema. A field of a message that JSON leaves out has the numbers of both, as `2.1`.
    pub(super) fn number(&self, full: &str, schema: &Value, field: &str) -> Option<String> {
        self.within(full, &|outer| schema["properties"][outer].is_null(), field, DEPTH)
    }

    fn within(
        &self,
        full: &str,
        is_left_out: &dyn Fn(&str) -> bool,
        name: &str,
        depth: usize,
    ) -> Option<String> {
        let message = self.all.get(full)?;
        // Some messages begin their names with a capital letter.
        let named = message.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        if let Some((_, field)) = named {
            return Some(field.number.to_string());
        }
        let depth = depth.checked_sub(1)?;
        message.iter().filter(|(outer, _)| is_left_out(outer)).find_map(|(_, outer)| {
            let inner = format!("{}.{}", package(full)?, outer.ty);
            let inner = self.within(&inner, is_left_out, name, depth)?;
            Some(format!("{}.{inner}", outer.number))
        })
    }
}

/// A line such as `optional string name = 1;`.
fn read_field(line: &str) -> Option<(String, Field)> {
    let (declaration, number) = line.trim().strip_suffix(';')?.split_once(" = ")?;
    let (ty, name) = declaration.rsplit_once(' ')?;
    let ty = ty.trim_start_matches("optional ").trim_start_matches("repeated ").to_owned();
    Some((name.to_owned(), Field { number: number.parse().ok()?, ty }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FILE: &str = "k8s.io/api/core/v1/generated.proto";
    const TEXT: &str = "package k8s.io.api.core.v1;\n\nmessage Volume {\n  // A name = 3;\n  optional string name = 1;\n\n  \
        optional VolumeSource volumeSource = 2;\n}\n\nmessage VolumeSource {\n  \
        optional Empty emptyDir = 2;\n  map<string, string> labels = 7;\n}\n";

    #[test]
    fn a_schema_names_its_file() {
        let names = ["io.k8s.api.core.v1.Volume".to_owned(), "io.k8s.api.core.v1.Pod".to_owned()];
        assert_eq!(files(names.iter()), BTreeSet::from([FILE.to_owned()]));
    }

    #[test]
    fn a_field_has_its_number_and_that_of_the_message_around_it() {
        let mut messages = Messages::default();
        messages.add(FILE, TEXT);

        let number = |schema, field| messages.number("io.k8s.api.core.v1.Volume", &schema, field);

        let left_out = || json!({"properties": {"name": {}}});
        assert_eq!(number(left_out(), "name").as_deref(), Some("1"));
        assert_eq!(number(left_out(), "emptyDir").as_deref(), Some("2.2"));
        assert_eq!(number(left_out(), "labels").as_deref(), Some("2.7"));
        assert_eq!(number(left_out(), "A"), None);
        assert_eq!(number(json!({"properties": {"volumeSource": {}}}), "emptyDir"), None);
        assert_eq!(messages.number("io.k8s.api.core.v1.Pod", &left_out(), "name"), None);
    }
}
