//! Requests that must be rejected and change nothing: the rows of an area's table.

mod runner;

use std::slice;

use crate::prelude::*;

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
    /// Created with the texts `k: v` and `a: 1`: see [`crate::string_map`].
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
type OfObject = fn(&StoredObject) -> Vec<Request>;
/// Requests about an object `a` that does not exist.
type OfNothing = fn(&Collection) -> Vec<Request>;
/// Lists of a collection with one object, and a version that the collection has had.
type OfCollection = fn(&Collection, &str) -> Vec<Query>;

#[derive(Debug, Clone, Copy)]
enum Requests {
    Object(OfObject),
    Nothing(OfNothing),
    Collection(OfCollection),
}

/// Requests about an object: one of these codes, and this reason. The object stays as it was.
pub(crate) const fn rejected(
    clause: &'static str,
    codes: &'static [u16],
    reason: &'static str,
    requests: OfObject,
) -> Rejection {
    Rejection::new(clause, codes, Requests::Object(requests)).reason(reason)
}

/// The same with any reason.
pub(crate) const fn refused(clause: &'static str, codes: &'static [u16], requests: OfObject) -> Rejection {
    Rejection::new(clause, codes, Requests::Object(requests))
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
    Rejection::new(clause, codes, Requests::Nothing(requests)).none_called(&[NAME])
}

/// Lists of a collection.
pub(crate) const fn refused_list(
    clause: &'static str,
    codes: &'static [u16],
    requests: OfCollection,
) -> Rejection {
    let mut row = Rejection::new(clause, codes, Requests::Collection(requests));
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

    /// The object has the texts `k: v` and `a: 1`: see [`crate::string_map`].
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
        let mut rows = table(slice::from_ref(&self.row), self.kinds, runner::run);
        let row = rows.remove(0);
        if self.also.is_empty() { row } else { row.also(self.also) }
    }
}

/// The rows of an area's table.
pub(crate) fn rows(table: &'static [Rejection]) -> Vec<Row> {
    table.iter().map(Rejection::row).collect()
}
