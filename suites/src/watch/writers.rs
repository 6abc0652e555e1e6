//! Concurrent writers, and the events that they expect.

use crate::prelude::*;

/// Number of concurrent writers.
const WRITERS: usize = 6;

/// Where responses are slow there are fewer objects.
const LONGEST: Duration = Duration::from_secs(4);

/// A change that the server has acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The type of its event.
    pub(super) kind: &'static str,
    /// The name of the object.
    pub(super) name: String,
    /// The version of the object; the response to a deletion has none.
    version: Option<String>,
}

impl Change {
    fn new(kind: &'static str, name: &str, written: Option<&Object>) -> Self {
        Self { kind, name: name.to_owned(), version: written.map(|object| object.version().to_owned()) }
    }

    pub(super) fn created(object: &Object) -> Self {
        Self::new("ADDED", object.name(), Some(object))
    }

    /// Whether the object has this version after the change.
    pub(super) fn is_at(&self, version: &str) -> bool {
        self.version.as_deref() == Some(version)
    }

    /// Whether this is the event of the change.
    pub(super) fn is_event(&self, event: &WatchEvent) -> bool {
        self.kind == event.kind
            && self.name == event.object.name()
            && self.version.as_deref().is_none_or(|version| version == event.object.version())
    }

    /// The change in a few words, for failures.
    pub(super) fn brief(&self) -> String {
        let version = self.version.as_ref().map(|version| format!(" at {version}")).unwrap_or_default();
        format!("{} {}{version}", self.kind, self.name)
    }
}

/// Several writers change this number of objects of their own. Returns the changes of each writer, in order.
pub(super) async fn work(collection: &Collection, objects: usize) -> Result<Vec<Vec<Change>>, Halt> {
    let start = Instant::now();
    try_join_all((0..WRITERS).map(|writer| write(collection, writer, objects, start))).await
}

async fn write(
    collection: &Collection,
    writer: usize,
    objects: usize,
    start: Instant,
) -> Result<Vec<Change>, Halt> {
    let mut changes = Vec::new();
    for object in 0..objects {
        if object > 0 && start.elapsed() > LONGEST {
            break;
        }
        let name = format!("{}-{object}", name_of(writer));
        change(collection, &name, object % 2 == 0, &mut changes).await?;
    }
    Ok(changes)
}

/// The prefix of the names of a writer's objects.
pub(super) fn name_of(writer: usize) -> String {
    format!("writer-{writer}")
}

/// Creates and changes an object, and deletes it or not.
async fn change(collection: &Collection, name: &str, delete: bool, changes: &mut Vec<Change>) -> Checked {
    let created = collection.create(name).await?;
    changes.push(Change::created(&created));
    for value in ["second", "third", "fourth"] {
        let written = collection.write(name, value).await?;
        changes.push(Change::new("MODIFIED", name, Some(&written)));
    }
    if delete {
        collection.delete(name).await?;
        changes.push(Change::new("DELETED", name, None));
    }
    Ok(())
}
