//! The `resourceVersion` in the response to a write, while others write.

use crate::fields::remove;
use crate::prelude::*;

/// How many write at the same time, each to an object of its own, and how often.
const WRITERS: usize = 8;
const ROUNDS: usize = 6;

/// Where answers are slow there are fewer rounds.
const LONGEST: Duration = Duration::from_secs(3);

pub(super) fn rows() -> Vec<Row> {
    table(ANSWERED, Kinds::All, answered)
}

/// A way to write.
#[derive(Debug, Clone, Copy)]
enum Way {
    Create,
    /// A create of a name that a deleted object had.
    Recreate,
    Update,
    Patch,
    /// A delete of an object that a finalizer keeps.
    Delete,
}

#[rustfmt::skip]
const ANSWERED: &[(&str, Way)] = &[
    ("rv-answered-on-create",   Way::Create),
    ("rv-answered-on-recreate", Way::Recreate),
    ("rv-answered-on-update",   Way::Update),
    ("rv-answered-on-patch",    Way::Patch),
    ("rv-answered-on-delete",   Way::Delete),
];

async fn answered(cx: Context, way: Way) -> Checked {
    let (collection, began) = (cx.collection_under_test().await?, Instant::now());
    let writer = |number: usize| Writer { cx: &cx, collection: &collection, way, number, began };

    let judged = try_join_all((0..WRITERS).map(|number| write(writer(number)))).await?;

    if judged.contains(&true) {
        return Ok(());
    }
    let why = "each object was another by the time that it was read";
    Err(cx.test_error("compare the answers of writes with what is stored", why).into())
}

/// One of those who write at the same time.
#[derive(Clone, Copy)]
struct Writer<'a> {
    cx: &'a Context,
    collection: &'a Collection,
    way: Way,
    number: usize,
    began: Instant,
}

/// Writes, and compares each answer with what is stored. Gives whether one of them could be compared.
async fn write(writer: Writer<'_>) -> Result<bool, Halt> {
    let mut judged = false;
    for round in 0..ROUNDS {
        if round > 0 && writer.began.elapsed() > LONGEST {
            break;
        }
        let name = format!("by-{}-{round}", writer.number);
        let request = writer.arranged(&name).await?;
        let connection = u8::try_from(writer.number % 4).unwrap_or_default();
        let answer = writer.cx.send(request.connection(connection)).await?;
        judged |= writer.expect_stored(&name, &answer).await?;
        if let Way::Delete = writer.way {
            let release = json!({ "metadata": { "finalizers": null } });
            writer.collection.patch(&name, &release).await?;
        }
    }
    Ok(judged)
}

impl Writer<'_> {
    /// The request whose answer is looked at, when all is there that it needs.
    async fn arranged(&self, name: &str) -> Result<Request, Halt> {
        let (collection, mut body) = (self.collection, self.collection.body(name, "first"));
        let (create, path) = (Request::post(collection.path(), &body), collection.path_of(name));
        match self.way {
            Way::Create => return Ok(create),
            Way::Delete => body["metadata"]["finalizers"] = json!([crate::object_fixture::FINALIZER]),
            Way::Recreate | Way::Update | Way::Patch => {}
        }
        collection.create_body(&body).await?;
        Ok(match self.way {
            Way::Create | Way::Recreate => {
                self.remove(name).await?;
                create
            }
            Way::Update => {
                let mut body = collection.body(name, "second");
                body["metadata"]["resourceVersion"] = collection.get(name).await?.written()?.version().into();
                Request::put(path, &body)
            }
            Way::Patch => Request::merge_patch(path, &collection.change("second")),
            Way::Delete => Request::delete(path),
        })
    }

    async fn remove(&self, name: &str) -> Checked {
        self.collection.delete(name).await?;
        let gone = self.cx.eventually(|| async {
            let missing = self.collection.get(name).await?.status() == 404;
            Ok(missing.then_some(()))
        });
        gone.await?.ok_or_else(|| self.cx.test_error("delete an object", "it is still there").into())
    }

    /// The answer has the version that is stored. Gives `false` where the object has been changed since, so that
    /// nothing can be said.
    async fn expect_stored(&self, name: &str, answer: &Exchange) -> Result<bool, Halt> {
        let answered = answer.written()?;
        if answered.json()["kind"] == "Status" {
            return Err(Halt::Skipped("the server answers a deletion with a Status".to_owned()));
        }
        let stored = self.collection.get(name).await?.written()?;
        if unversioned(&answered) != unversioned(&stored) {
            return Ok(false);
        }
        let expected = format!("version {}, which a get of the object shows", stored.version());
        answer.expect(answered.version() == stored.version(), expected, answered.version())?;
        Ok(true)
    }
}

/// All of an object but its version.
fn unversioned(object: &Object) -> Value {
    let mut content = object.untyped();
    remove(&mut content["metadata"], "resourceVersion");
    content
}
