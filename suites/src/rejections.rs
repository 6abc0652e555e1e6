//! Requests that must be rejected and change nothing: the rows of an area's table, and their runner.

use std::slice;

use harness::{Checked, Collection, Context, Exchange, Halt, Kinds, Query, Request, Row, table};

use crate::apply_fixture::is_apply;
use crate::object_fixture::{NAME, Stored};
use crate::patch_types::{self, is_built_in};
use crate::unchanged_object::{expect_absent, expect_alive};
use crate::{closed_schema, deployments, string_map};

/// The codes for what a client has sent, where the server may choose.
///
/// The text says 400 of much that kube-apiserver answers with 422, and the other way round.
pub(crate) const OF_CLIENTS: &[u16] = &[400, 409, 412, 422];

/// A row: a clause, and requests that the server must reject.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rejection {
    row: (&'static str, Case),
    kinds: Kinds,
    also: &'static str,
}

#[derive(Debug, Clone, Copy)]
struct Case {
    collection: Of,
    fixture: Fixture,
    requests: Requests,
    codes: &'static [u16],
    codes_of_custom_types: &'static [u16],
    reason: Option<&'static str>,
    check: Option<fn(&Exchange) -> Checked>,
    afterwards: Afterwards,
    absent: &'static [&'static str],
}

/// The collection that a row is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Of {
    /// The subject's.
    Subject,
    /// The subject's; skips where its type keeps unknown fields.
    ClosedSchema,
    ConfigMaps,
    CustomResources,
    Deployments,
}

/// The object `a` before the requests.
#[derive(Debug, Clone, Copy)]
enum Fixture {
    /// Created.
    Created,
    /// Created with the texts `k: v` and `a: 1`: see [`string_map`].
    WithTexts,
    /// Created and read, and written since.
    Outdated,
}

/// What is looked at after each request.
#[derive(Debug, Clone, Copy)]
enum Afterwards {
    /// The object is as it was.
    Unchanged,
    /// The object is there, and nobody deletes it.
    Alive,
    /// Nothing: the clause is about the response alone.
    Nothing,
}

/// Requests about an object that is there; the fixture shows it as it was read.
type OfObject = fn(&Stored) -> Vec<Request>;
/// Requests about an object `a` that does not exist.
type OfNothing = fn(&Collection) -> Vec<Request>;
/// Lists of a collection with one object, and a version that the collection has had.
type OfCollection = fn(&Collection, &str) -> Vec<Query>;

#[derive(Debug, Clone, Copy)]
enum Requests {
    OfObject(OfObject),
    OfNothing(OfNothing),
    OfCollection(OfCollection),
}

/// Requests about an object: one of these codes, and this reason. The object stays as it was.
pub(crate) const fn rejected(
    clause: &'static str,
    codes: &'static [u16],
    reason: &'static str,
    requests: OfObject,
) -> Rejection {
    Rejection::new(clause, codes, Requests::OfObject(requests)).reason(reason)
}

/// The same with any reason.
pub(crate) const fn refused(clause: &'static str, codes: &'static [u16], requests: OfObject) -> Rejection {
    Rejection::new(clause, codes, Requests::OfObject(requests))
}

/// Requests about an object `a` that does not exist, such as its create: there is none afterwards either.
pub(crate) const fn rejected_create(
    clause: &'static str,
    codes: &'static [u16],
    reason: &'static str,
    requests: OfNothing,
) -> Rejection {
    refused_create(clause, codes, requests).reason(reason)
}

/// The same with any reason.
pub(crate) const fn refused_create(
    clause: &'static str,
    codes: &'static [u16],
    requests: OfNothing,
) -> Rejection {
    Rejection::new(clause, codes, Requests::OfNothing(requests)).none_called(&[NAME])
}

/// Lists of a collection.
pub(crate) const fn refused_list(
    clause: &'static str,
    codes: &'static [u16],
    requests: OfCollection,
) -> Rejection {
    let mut row = Rejection::new(clause, codes, Requests::OfCollection(requests));
    row.kinds = Kinds::Namespaced;
    row
}

impl Rejection {
    const fn new(clause: &'static str, codes: &'static [u16], requests: Requests) -> Self {
        let case = Case {
            collection: Of::Subject,
            fixture: Fixture::Created,
            requests,
            codes,
            codes_of_custom_types: &[],
            reason: None,
            check: None,
            afterwards: Afterwards::Unchanged,
            absent: &[],
        };
        Self { row: (clause, case), kinds: Kinds::All, also: "" }
    }

    /// The reason that the Status must give.
    pub(crate) const fn reason(mut self, reason: &'static str) -> Self {
        self.row.1.reason = Some(reason);
        self
    }

    /// The row answers this clause as well.
    pub(crate) const fn also(mut self, clause: &'static str) -> Self {
        self.also = clause;
        self
    }

    /// The row applies to this collection alone.
    pub(crate) const fn only(mut self, collection: Of) -> Self {
        self.row.1.collection = collection;
        self.kinds = Kinds::Own;
        self
    }

    /// Skips types that keep unknown fields.
    pub(crate) const fn closed_schema(mut self) -> Self {
        self.row.1.collection = Of::ClosedSchema;
        self
    }

    /// Custom types may answer with these codes, too: they find a body invalid that built-in ones cannot read.
    pub(crate) const fn or_of_custom_types(mut self, codes: &'static [u16]) -> Self {
        self.row.1.codes_of_custom_types = codes;
        self
    }

    /// The object has the texts `k: v` and `a: 1`: see [`string_map`].
    pub(crate) const fn with_texts(mut self) -> Self {
        self.row.1.fixture = Fixture::WithTexts;
        self
    }

    /// The object has been written since it was read.
    pub(crate) const fn outdated(mut self) -> Self {
        self.row.1.fixture = Fixture::Outdated;
        self
    }

    /// What else the response must say.
    pub(crate) const fn and(mut self, check: fn(&Exchange) -> Checked) -> Self {
        self.row.1.check = Some(check);
        self
    }

    /// There are no objects of these names afterwards.
    pub(crate) const fn none_called(mut self, names: &'static [&'static str]) -> Self {
        self.row.1.absent = names;
        self
    }

    /// The object may change afterwards, but nobody deletes it.
    pub(crate) const fn alive(mut self) -> Self {
        self.row.1.afterwards = Afterwards::Alive;
        self
    }

    /// The clause is about the response alone: nothing is looked at afterwards.
    pub(crate) const fn response_only(mut self) -> Self {
        self.row.1.afterwards = Afterwards::Nothing;
        self.row.1.absent = &[];
        self
    }

    fn row(&'static self) -> Row {
        let mut rows = table(slice::from_ref(&self.row), self.kinds, run);
        let row = rows.remove(0);
        if self.also.is_empty() { row } else { row.also(self.also) }
    }
}

/// The rows of an area's table.
pub(crate) fn rows(table: &'static [Rejection]) -> Vec<Row> {
    table.iter().map(Rejection::row).collect()
}

async fn run(cx: Context, case: Case) -> Checked {
    let things = case.collection(&cx).await?;
    match case.requests {
        Requests::OfObject(requests) => {
            let (read, now) = case.arrange(&cx, &things).await?;
            case.all_rejected(&cx, &things, requests(&read), Some(&now)).await
        }
        Requests::OfNothing(requests) => case.all_rejected(&cx, &things, requests(&things), None).await,
        Requests::OfCollection(requests) => {
            things.create(NAME).await?;
            let version = things.now().await?.version;
            for list in requests(&things, &version) {
                case.expect(&things, &*list.await?)?;
            }
            Ok(())
        }
    }
}

impl Case {
    async fn collection(&self, cx: &Context) -> Result<Collection, Halt> {
        match self.collection {
            Of::Subject => cx.things().await,
            Of::ClosedSchema => closed_schema::collection(cx).await,
            Of::ConfigMaps => cx.configmaps().await,
            Of::CustomResources => cx.custom_resources().await,
            Of::Deployments => deployments::collection(cx).await,
        }
    }

    /// The object as it was read, and as it is stored.
    async fn arrange(&self, cx: &Context, things: &Collection) -> Result<(Stored, Stored), Halt> {
        let read = if let Fixture::WithTexts = self.fixture {
            string_map::create(things, NAME, &[("k", "v"), ("a", "1")]).await?;
            Stored::read(cx, things.clone()).await?
        } else {
            Stored::create_among(cx, things.clone()).await?
        };
        if let Fixture::Outdated = self.fixture {
            read.write("changed").await?;
            let now = read.again().await?;
            return Ok((read, now));
        }
        Ok((read.clone(), read))
    }

    async fn all_rejected(
        &self,
        cx: &Context,
        things: &Collection,
        requests: Vec<Request>,
        object: Option<&Stored>,
    ) -> Checked {
        for request in requests {
            let applies = is_apply(&request);
            let refused = cx.send(request).await?;
            if applies {
                patch_types::applies(cx, &refused)?;
            }
            self.expect(things, &refused)?;
            self.expect_nothing_changed(things, object).await?;
        }
        Ok(())
    }

    fn expect(&self, things: &Collection, refused: &Exchange) -> Checked {
        let custom = if is_built_in(things) { &[] } else { self.codes_of_custom_types };
        let codes = [self.codes, custom].concat();
        match self.reason {
            Some(reason) => refused.expect_error(&codes, &[reason])?,
            None => refused.expect_refusal(&codes)?,
        };
        self.check.map_or(Ok(()), |check| check(refused))
    }

    async fn expect_nothing_changed(&self, things: &Collection, object: Option<&Stored>) -> Checked {
        match (self.afterwards, object) {
            (Afterwards::Unchanged, Some(object)) => object.expect_unchanged().await?,
            (Afterwards::Alive, Some(object)) => {
                expect_alive(&*object.get().await?, &object.read)?;
            }
            _ => {}
        }
        for name in self.absent {
            expect_absent(things, name).await?;
        }
        Ok(())
    }
}
