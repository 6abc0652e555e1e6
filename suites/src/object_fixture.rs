//! The fixture of one stored object, and requests that write it.

use std::collections::BTreeSet;

use crate::patch_types;
use crate::prelude::*;

/// The name of the object.
pub(crate) const NAME: &str = "a";

/// Number of connections for concurrent writes.
const CONNECTIONS: usize = 4;

/// An object that a scenario has created, as last read.
#[derive(Debug, Clone)]
pub(crate) struct StoredObject {
    cx: Context,
    pub(crate) collection: Collection,
    pub(crate) read: Object,
}

impl StoredObject {
    /// Creates the object in the scenario's collection.
    pub(crate) async fn create(cx: &Context) -> Result<Self, Halt> {
        Self::create_among(cx, cx.collection_under_test().await?).await
    }

    /// Creates the object in this collection.
    pub(crate) async fn create_among(cx: &Context, collection: Collection) -> Result<Self, Halt> {
        collection.create(NAME).await?;
        Self::read(cx, collection).await
    }

    /// Creates the object with a finalizer.
    pub(crate) async fn create_held(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        let mut body = collection.body(NAME, "first");
        body["metadata"]["finalizers"] = vec![FINALIZER].into();
        collection.create_body(&body).await?;
        Self::read(cx, collection).await
    }

    /// Creates the object with an owner, which exists: a garbage collector deletes objects without theirs.
    pub(crate) async fn create_owned(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        let mut body = collection.body(NAME, "first");
        body["metadata"]["ownerReferences"] =
            vec![owner_reference(&collection.create("owner").await?)].into();
        collection.create_body(&body).await?;
        Self::read(cx, collection).await
    }

    /// Reads the existing object.
    pub(crate) async fn read(cx: &Context, collection: Collection) -> Result<Self, Halt> {
        let read = collection.get(NAME).await?.written()?;
        Ok(Self { cx: cx.clone(), collection, read })
    }

    /// Reads the object again.
    pub(crate) async fn again(&self) -> Result<Self, Halt> {
        Self::read(&self.cx, self.collection.clone()).await
    }

    /// The same object, through another server of the control plane.
    pub(crate) fn through(&self, server: &Collection) -> Self {
        Self { cx: server.context().clone(), collection: server.clone(), read: self.read.clone() }
    }

    /// Whether its type is built in.
    pub(crate) fn is_built_in(&self) -> bool {
        patch_types::is_built_in(&self.collection)
    }

    /// Its path.
    pub(crate) fn path(&self) -> String {
        self.collection.path_of(NAME)
    }

    /// The object with another value and the resourceVersion as read; not yet sent.
    pub(crate) fn body(&self, value: &str) -> Value {
        let mut body = self.collection.body(NAME, value);
        body["metadata"]["resourceVersion"] = self.read.version().into();
        body
    }

    /// An update to another value, with a changed body; not yet sent.
    pub(crate) fn put_with(&self, change: impl FnOnce(&mut Value)) -> Request {
        let mut body = self.body("second");
        change(&mut body);
        Request::put(self.path(), &body)
    }

    /// A get of the object.
    pub(crate) fn get(&self) -> Query {
        self.collection.get(NAME)
    }

    /// Sends a PUT with this body.
    pub(crate) async fn put(&self, body: &Value) -> Result<Arc<Exchange>, Halt> {
        self.cx.send(Request::put(self.path(), body)).await
    }

    /// A patch of this form; not yet sent.
    pub(crate) fn patch(&self, media_type: &str, patch: &Value) -> Request {
        Request::new(Method::PATCH, self.path()).json(media_type, patch)
    }

    /// Merges a patch into it; a failure is a test error.
    pub(crate) async fn change(&self, patch: &Value) -> Result<Object, Halt> {
        self.collection.patch(NAME, patch).await
    }

    /// Writes a value; a failure is a test error.
    pub(crate) async fn write(&self, value: &str) -> Result<Object, Halt> {
        self.collection.write(NAME, value).await
    }

    /// A deletion with these options in its body; not yet sent.
    pub(crate) fn delete(&self, options: &Value) -> Request {
        let mut body = options.clone();
        body["kind"] = "DeleteOptions".into();
        body["apiVersion"] = "v1".into();
        Request::delete(self.path()).json("application/json", &body)
    }

    /// Releases an object that a finalizer holds; a failure is a test error.
    pub(crate) async fn release(&self) -> Checked {
        self.change(&serde_json::json!({ "metadata": { "finalizers": null } })).await.map(drop)
    }

    /// The stored object is unchanged since it was read.
    pub(crate) async fn expect_unchanged(&self) -> Checked {
        let got = self.get().await?;
        let mut found = Vec::new();
        differences("", self.read.json(), got.object()?.json(), &mut found);
        let expected = format!("{} stored as it was at {}", self.read.name(), self.read.version());
        got.expect(found.is_empty(), expected, found.join(", "))
    }

    /// The stored object has this value.
    pub(crate) async fn expect_value(&self, value: &str) -> Checked {
        let got = self.get().await?;
        let stored = got.object()?;
        got.expect(
            stored.value() == value,
            format!("the value {value:?} stored"),
            format!("{:?}", stored.value()),
        )
    }

    /// The object does not exist.
    pub(crate) async fn expect_gone(&self) -> Checked {
        self.get().await?.expect_status(&[404])
    }

    /// A watch of this object alone, from now on.
    pub(crate) async fn watch(&self) -> Result<Watch, Halt> {
        let selector = format!("metadata.name={}", self.read.name());
        let listed = self.collection.list().fields(&selector).page().await?;
        self.collection.watch().fields(&selector).at(&listed.version).open_as_fixture().await
    }

    /// The watch of this object has received no event: its next event is that of a new change.
    pub(crate) async fn expect_silence(&self, watch: &mut Watch) -> Checked {
        let changed = self.write("a-visible-change").await?;
        let event = watch.expect("MODIFIED", changed.name()).await?;
        let expected = format!("the change to {} as the next event", changed.version());
        watch.expect_that(event.version() == changed.version(), expected, event.version())
    }

    /// Concurrent writers each put their own value, all with the resourceVersion as read.
    pub(crate) async fn race(&self, writers: usize) -> Result<Race, Halt> {
        let put = |writer: usize| async move {
            let value = format!("writer-{writer}");
            let connection = u8::try_from(writer % CONNECTIONS).unwrap_or_default();
            let request = Request::put(self.path(), &self.body(&value)).connection(connection);
            Ok::<_, Halt>((value, self.cx.send(request).await?))
        };
        let responses = try_join_all((0..writers).map(put)).await?;
        let (won, lost) = responses.into_iter().partition(|(_, response)| response.succeeded());
        Ok(Race { won, lost })
    }
}

/// The create of an object, with a changed body; not yet sent.
pub(crate) fn post_with(collection: &Collection, name: &str, change: impl FnOnce(&mut Value)) -> Request {
    let mut body = collection.body(name, "first");
    change(&mut body);
    Request::post(collection.path(), &body)
}

/// A reference to an existing owner.
pub(crate) fn owner_reference(owner: &Object) -> Value {
    let (version, kind) = (&owner.json()["apiVersion"], &owner.json()["kind"]);
    serde_json::json!({ "apiVersion": version, "kind": kind, "name": owner.name(), "uid": owner.metadata("uid") })
}

/// A uid that no object has.
pub(crate) const NO_UID: &str = "00000000-0000-4000-8000-000000000000";

/// A finalizer that keeps a deleted object.
pub(crate) const FINALIZER: &str = "kube-assay.dev/hold";

/// The results of concurrent writes: each value with its exchange.
#[derive(Debug)]
pub(crate) struct Race {
    pub(crate) won: Vec<(String, Arc<Exchange>)>,
    pub(crate) lost: Vec<(String, Arc<Exchange>)>,
}

impl Race {
    /// At most one write succeeded, and the others got a 409.
    pub(crate) fn expect_one_winner(&self) -> Checked {
        if let [_, second, ..] = &self.won[..] {
            let actual = format!("{} of them succeeded", self.won.len());
            return Err(second.1.fail("one write at most that succeeds", actual));
        }
        self.lost.iter().try_for_each(|(_, response)| response.expect_error(&[409], &["Conflict"]).map(drop))
    }
}

/// The places where two documents differ, with both values.
fn differences(place: &str, before: &Value, now: &Value, found: &mut Vec<String>) {
    let (Value::Object(old), Value::Object(new)) = (before, now) else {
        if before != now {
            found.push(format!("{} {now} instead of {before}", place.trim_start_matches('.')));
        }
        return;
    };
    let names: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    for name in names {
        let of = |fields: &serde_json::Map<String, Value>| fields.get(name).cloned().unwrap_or_default();
        differences(&format!("{place}.{name}"), &of(old), &of(new), found);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_is_named_by_its_place() {
        let mut found = Vec::new();
        let (before, now) = (json!({ "a": { "b": 1, "c": 2 }, "d": 3 }), json!({ "a": { "b": 4, "c": 2 } }));
        differences("", &before, &now, &mut found);
        assert_eq!(found, ["a.b 4 instead of 1", "d null instead of 3"]);
    }
}
