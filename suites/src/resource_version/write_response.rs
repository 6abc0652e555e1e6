//! The `resourceVersion` in the response to a write, under concurrent writes.

use super::object::content;
use crate::object_fixture::FINALIZER;
use crate::prelude::*;

/// Number of concurrent writers, each with objects of its own, and of rounds.
const WRITERS: usize = 8;
const ROUNDS: usize = 6;

/// Where responses are slow there are fewer rounds.
const LONGEST: Duration = Duration::from_secs(3);

pub(super) fn rows() -> Vec<Row> {
    table(WRITES, Kinds::All, response_to)
}

#[derive(Debug, Clone, Copy)]
enum Verb {
    Create,
    /// A create with the name of a deleted object.
    Recreate,
    Update,
    Patch,
    /// A deletion of an object with a finalizer.
    Delete,
}

#[rustfmt::skip]
const WRITES: &[(&str, Verb)] = &[
    ("rv-answered-on-create",   Verb::Create),
    ("rv-answered-on-recreate", Verb::Recreate),
    ("rv-answered-on-update",   Verb::Update),
    ("rv-answered-on-patch",    Verb::Patch),
    ("rv-answered-on-delete",   Verb::Delete),
];

async fn response_to(cx: Context, verb: Verb) -> Checked {
    let (collection, start) = (cx.collection_under_test().await?, Instant::now());
    let writer = |number: usize| Writer { cx: &cx, collection: &collection, verb, number, start };

    let compared = try_join_all((0..WRITERS).map(|number| write(writer(number)))).await?;

    if compared.contains(&true) {
        return Ok(());
    }
    let why = "each object changed before a GET";
    Err(cx.test_error("compare the responses to writes with the stored objects", why).into())
}

/// One of the concurrent writers.
#[derive(Clone, Copy)]
struct Writer<'a> {
    cx: &'a Context,
    collection: &'a Collection,
    verb: Verb,
    number: usize,
    start: Instant,
}

/// Writes, and compares each response with the stored object. Returns whether a comparison was possible.
async fn write(writer: Writer<'_>) -> Result<bool, Halt> {
    let mut compared = false;
    for round in 0..ROUNDS {
        if round > 0 && writer.start.elapsed() > LONGEST {
            break;
        }
        let name = format!("by-{}-{round}", writer.number);
        let request = writer.arrange(&name).await?;
        let connection = u8::try_from(writer.number % 4).unwrap_or_default();
        let response = writer.cx.send(request.connection(connection)).await?;
        compared |= writer.expect_stored(&name, &response).await?;
        if let Verb::Delete = writer.verb {
            writer.collection.patch(&name, &json!({ "metadata": { "finalizers": null } })).await?;
        }
    }
    Ok(compared)
}

impl Writer<'_> {
    /// Arranges the object of the write. Returns the write; not yet sent.
    async fn arrange(&self, name: &str) -> Result<Request, Halt> {
        let (collection, mut body) = (self.collection, self.collection.body(name, "first"));
        let (create, path) = (Request::post(collection.path(), &body), collection.path_of(name));
        match self.verb {
            Verb::Create => return Ok(create),
            Verb::Delete => body["metadata"]["finalizers"] = json!([FINALIZER]),
            Verb::Recreate | Verb::Update | Verb::Patch => {}
        }
        collection.create_body(&body).await?;
        Ok(match self.verb {
            Verb::Create | Verb::Recreate => {
                self.delete(name).await?;
                create
            }
            Verb::Update => {
                let mut body = collection.body(name, "second");
                body["metadata"]["resourceVersion"] = collection.get(name).await?.written()?.version().into();
                Request::put(path, &body)
            }
            Verb::Patch => Request::merge_patch(path, &collection.change("second")),
            Verb::Delete => Request::delete(path),
        })
    }

    async fn delete(&self, name: &str) -> Checked {
        self.collection.delete(name).await?;
        let deleted = self.cx.eventually(|| async {
            let missing = self.collection.get(name).await?.status() == 404;
            Ok(missing.then_some(()))
        });
        deleted.await?.ok_or_else(|| self.cx.test_error("delete an object", "it still exists").into())
    }

    /// The response has the version of the stored object. Returns `false` where the object has changed since.
    async fn expect_stored(&self, name: &str, response: &Exchange) -> Result<bool, Halt> {
        let returned = response.written()?;
        Halt::skip_unless(returned.json()["kind"] != "Status", "the response to a deletion is a Status")?;
        let stored = self.collection.get(name).await?.written()?;
        if content(&returned) != content(&stored) {
            return Ok(false);
        }
        let expected = format!("version {}, as in a later GET", stored.version());
        response.expect(returned.version() == stored.version(), expected, returned.version())?;
        Ok(true)
    }
}
