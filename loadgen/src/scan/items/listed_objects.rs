//! The identities and versions of the items of a list, of which a quick count knows nothing.

use std::collections::HashSet;

use serde::{Deserialize, Deserializer};

use crate::population::object_of;

/// The maximum length of a list whose items are read, in bytes.
const LONGEST: usize = 1 << 20;

/// A field of which null is as good as none.
pub(crate) fn or_empty<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// The bytes of a list so far; `None` if nobody reads its items.
pub(super) struct ListedObjects(Option<Vec<u8>>);

/// An item of a list, or the object of a row; absent fields, and those that are null, are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ListedObject {
    #[serde(default, deserialize_with = "or_empty")]
    pub(crate) namespace: String,
    #[serde(default, deserialize_with = "or_empty")]
    pub(crate) name: String,
    #[serde(default, deserialize_with = "or_empty")]
    pub(crate) uid: String,
    #[serde(default, rename = "resourceVersion", deserialize_with = "or_empty")]
    pub(crate) version: String,
}

#[derive(Deserialize)]
struct List {
    items: Option<Vec<Item>>,
    rows: Option<Vec<Row>>,
}

/// The list's own metadata.
#[derive(Deserialize)]
struct Head {
    #[serde(default, deserialize_with = "or_empty")]
    metadata: ListedObject,
}

#[derive(Deserialize)]
struct Row {
    object: Item,
}

#[derive(Deserialize)]
struct Item {
    metadata: ListedObject,
}

impl ListedObject {
    /// The object of a run with its name; `None` for a name that no object of a run has.
    pub(crate) fn object(&self) -> Option<usize> {
        object_of(self.name.as_bytes()).map(|object| object as usize)
    }

    /// Its resourceVersion, if it is a number.
    pub(crate) fn version(&self) -> Option<u64> {
        self.version.parse().ok()
    }
}

impl ListedObjects {
    pub(super) fn new(are_read: bool) -> Self {
        Self(are_read.then(Vec::new))
    }

    pub(super) fn take(&mut self, piece: &[u8]) {
        self.0 = self.0.take().filter(|bytes| bytes.len() + piece.len() <= LONGEST);
        if let Some(bytes) = &mut self.0 {
            bytes.extend_from_slice(piece);
        }
    }

    /// The items; `None` if they are not read.
    pub(super) fn read(&self) -> Option<Vec<ListedObject>> {
        let List { items, rows } = serde_json::from_slice(self.0.as_ref()?).ok()?;
        let rows = rows.into_iter().flatten().map(|row| row.object);
        Some(items.into_iter().flatten().chain(rows).map(|item| item.metadata).collect())
    }

    /// Whether the list is read and has no resourceVersion.
    pub(super) fn lack_version(&self) -> bool {
        let head: Option<Head> = self.0.as_ref().and_then(|bytes| serde_json::from_slice(bytes).ok());
        head.is_some_and(|head| head.metadata.version.is_empty())
    }
}

/// The name of an object that a list has twice.
pub(crate) fn repeated(listed: &[ListedObject]) -> Option<&str> {
    let mut known = HashSet::new();
    let mut named = listed.iter().filter(|object| !object.name.is_empty());
    let repeated = named.find(|object| !known.insert((&object.namespace, &object.name)));
    repeated.map(|object| &*object.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Vec<ListedObject>> {
        let mut listed = ListedObjects::new(true);
        text.as_bytes().chunks(10).for_each(|piece| listed.take(piece));
        listed.read()
    }

    fn item(namespace: &str, name: &str) -> String {
        format!(r#"{{"metadata":{{"namespace":"{namespace}","name":"{name}"}},"data":{{"name":"o1"}}}}"#)
    }

    #[test]
    fn an_object_is_repeated_if_its_name_and_its_namespace_are() {
        let all = [item("n", "o1"), item("n", "o2"), item("m", "o1")];
        let twice = [&all[..], &all[1..2]].concat();
        for (items, expected) in [(&all[..], None), (&twice, Some("o2"))] {
            let list = read(&format!(r#"{{"items":[{}]}}"#, items.join(","))).unwrap();
            let rows: Vec<String> =
                items.iter().map(|item| format!(r#"{{"cells":["o1"],"object":{item}}}"#)).collect();
            let table = read(&format!(r#"{{"kind":"Table","rows":[{}]}}"#, rows.join(","))).unwrap();
            assert_eq!((repeated(&list), &table), (expected, &list));
        }
    }

    #[test]
    fn items_have_their_uids_and_versions() {
        let items = r#"{"items":[{"metadata":{"name":"o1","uid":"u","resourceVersion":"7"}}]}"#;
        let only = read(items).unwrap().remove(0);
        assert_eq!((&*only.name, &*only.uid, &*only.version, &*only.namespace), ("o1", "u", "7", ""));
        assert_eq!(read(r#"{"items":null}"#), Some(Vec::new()));
        let others = read(r#"{"items":[{"metadata":{"uid":null}},{"metadata":{}}]}"#).unwrap();
        assert_eq!(
            (&others[..], repeated(&others)),
            (&[ListedObject::default(), ListedObject::default()][..], None)
        );
    }

    #[test]
    fn long_lists_are_not_read() {
        for unknown in ["", "null"] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
        let long = format!(r#"{{"items":[{}],"more":"{}"}}"#, item("n", "o1"), "x".repeat(LONGEST));
        assert_eq!(read(&long), None);
    }
}
