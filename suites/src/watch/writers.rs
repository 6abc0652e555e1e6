//! Concurrent writers, and the events that they expect.

use crate::prelude::*;

/// How many write at a time.
const WRITERS: usize = 6;

/// Where answers are slow there is less to do.
const LONGEST: Duration = Duration::from_secs(4);

/// A change that the server has acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// As an event tells it.
    pub(super) kind: &'static str,
    /// The object's name.
    pub(super) name: String,
    /// The object's version; a deletion is answered without one.
    version: Option<String>,
}

impl Change {
    fn new(kind: &'static str, name: &str, written: Option<&Object>) -> Self {
        Self { kind, name: name.to_owned(), version: written.map(|object| object.version().to_owned()) }
    }

    /// What is known of an object that was created.
    pub(super) fn created(object: &Object) -> Self {
        Self::new("ADDED", object.name(), Some(object))
    }

    /// Whether the object was left in this version.
    pub(super) fn is_at(&self, version: &str) -> bool {
        self.version.as_deref() == Some(version)
    }

    /// Whether an event tells it.
    pub(super) fn is_told_by(&self, event: &WatchEvent) -> bool {
        self.kind == event.kind
            && self.name == event.object.name()
            && self.version.as_deref().is_none_or(|version| version == event.object.version())
    }

    /// The change in a few words.
    pub(super) fn brief(&self) -> String {
        let version = self.version.as_ref().map(|version| format!(" at {version}")).unwrap_or_default();
        format!("{} {}{version}", self.kind, self.name)
    }
}

/// Has several writers change objects of their own, so many each; returns what each has done, in order.
pub(super) async fn work(collection: &Collection, objects: usize) -> Result<Vec<Vec<Change>>, Halt> {
    let began = Instant::now();
    try_join_all((0..WRITERS).map(|writer| write(collection, writer, objects, began))).await
}

async fn write(
    collection: &Collection,
    writer: usize,
    objects: usize,
    began: Instant,
) -> Result<Vec<Change>, Halt> {
    let mut changes = Vec::new();
    for object in 0..objects {
        if object > 0 && began.elapsed() > LONGEST {
            break;
        }
        live(collection, &format!("{}-{object}", name_of(writer)), object % 2 == 0, &mut changes).await?;
    }
    Ok(changes)
}

/// What the names of a writer's objects begin with.
pub(super) fn name_of(writer: usize) -> String {
    format!("writer-{writer}")
}

/// The life of one object.
async fn live(collection: &Collection, name: &str, mortal: bool, changes: &mut Vec<Change>) -> Checked {
    let created = collection.create(name).await?;
    changes.push(Change::created(&created));
    for value in ["second", "third", "fourth"] {
        let written = collection.write(name, value).await?;
        changes.push(Change::new("MODIFIED", name, Some(&written)));
    }
    if mortal {
        collection.delete(name).await?;
        changes.push(Change::new("DELETED", name, None));
    }
    Ok(())
}
