//! The names of the items of a list, to find an object that it has twice.

use std::collections::HashSet;

use serde::Deserialize;

/// The maximum length of a list whose names are read, in bytes.
const LONGEST: usize = 1 << 20;

/// The bytes of a list so far; `None` if nobody reads its names.
pub(super) struct Names(Option<Vec<u8>>);

#[derive(Deserialize)]
struct List {
    items: Option<Vec<Item>>,
    rows: Option<Vec<Row>>,
}

#[derive(Deserialize)]
struct Row {
    object: Item,
}

#[derive(Deserialize)]
struct Item {
    metadata: Metadata,
}

#[derive(Deserialize, PartialEq, Eq, Hash)]
struct Metadata {
    #[serde(default)]
    namespace: String,
    name: String,
}

impl Names {
    pub(super) fn new(are_read: bool) -> Self {
        Self(are_read.then(Vec::new))
    }

    pub(super) fn take(&mut self, piece: &[u8]) {
        self.0 = self.0.take().filter(|bytes| bytes.len() + piece.len() <= LONGEST);
        if let Some(bytes) = &mut self.0 {
            bytes.extend_from_slice(piece);
        }
    }

    /// The name of an object that is in the list twice, as far as that is known.
    pub(super) fn repeated(&self) -> Option<String> {
        let List { items, rows } = serde_json::from_slice(self.0.as_ref()?).ok()?;
        let rows = rows.into_iter().flatten().map(|row| row.object);
        let mut known = HashSet::new();
        let mut all = items.into_iter().flatten().chain(rows).map(|item| item.metadata);
        all.find_map(|metadata| known.replace(metadata)).map(|metadata| metadata.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeated(text: &str) -> Option<String> {
        let mut names = Names::new(true);
        text.as_bytes().chunks(10).for_each(|piece| names.take(piece));
        names.repeated()
    }

    #[test]
    fn an_object_is_repeated_if_its_name_and_its_namespace_are() {
        let item = |namespace: &str, name: &str| {
            format!(r#"{{"metadata":{{"namespace":"{namespace}","name":"{name}"}},"data":{{"name":"o1"}}}}"#)
        };
        let all = [item("n", "o1"), item("n", "o2"), item("m", "o1")];
        let twice = [&all[..], &all[1..2]].concat();
        for (items, expected) in [(&all[..], None), (&twice, Some("o2".to_owned()))] {
            assert_eq!(repeated(&format!(r#"{{"items":[{}]}}"#, items.join(","))), expected);
            let rows: Vec<String> =
                items.iter().map(|item| format!(r#"{{"cells":["o1"],"object":{item}}}"#)).collect();
            assert_eq!(repeated(&format!(r#"{{"kind":"Table","rows":[{}]}}"#, rows.join(","))), expected);
        }
        for unknown in ["", "null", r#"{"items":null}"#, r#"{"items":[{"metadata":{}},{"metadata":{}}]}"#] {
            assert_eq!(repeated(unknown), None, "{unknown}");
        }
        let item = r#"{"metadata":{"name":"o1"}}"#;
        let long = format!(r#"{{"items":[{item},{item}],"more":"{}"}}"#, "x".repeat(LONGEST));
        assert_eq!(repeated(&long), None);
    }
}
