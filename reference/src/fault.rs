//! Faults: deliberate failures of clauses, and the rules that describe them.
//!
//! A [`Fault`] breaks the clause of the same name. Its [`FaultMechanism`] is either a [`StoreFault`], which the store
//! implements, or a rule *on the wire*: conditions on the request ([`When`], all of which must hold) and edits of
//! request and response ([`Edit`], in the order given). One tower layer, [`FaultLayer`], applies all rules on the
//! wire. It knows nothing of the server behind it, so it works in front of any API server.
//!
//! The layer edits or rejects the request ([`Edit::Reject`], [`Edit::Respond`]) before there is a response. Conditions
//! on the response ([`When::StatusIs`], [`When::ResponseHas`]) guard only edits of the response. The layer edits watch
//! events one by one.
//!
//! Faults are rows of tables, one table per area of the catalogue in `faults/<area>.rs`:
//!
//! ```
//! use reference::fault::{Edit::*, Event, Fault, Items, When::*, at_replicas, on, store};
//! use reference::StoreFault;
//!
//! const FAULTS: &[Fault] = &[
//!     // The request changes ...
//!     on("a", "the server ignores continue", &[Collection, Has("continue")], &[DropParameter("continue")]),
//!     on("b", "a page has one item more than limit", &[Is("limit", "2")], &[SetParameter("limit", "3")]),
//!     on("b", "the server repeats the digits of limit", &[List], &[EditParameter("limit", |limit| Some(limit.repeat(2)))]),
//!     on("c", "watches read timeout instead of timeoutSeconds", &[Watch], &[RenameParameter("timeoutSeconds", "timeout")]),
//!     on("d", "gets ignore Accept", &[Object], &[DropRequestHeader("accept")]),
//!     on("e", "creates ignore labels", &[Method("POST")], &[RemoveFromRequest("/metadata/labels")]),
//!     // ... or is rejected or sent again ...
//!     on("f", "the server rejects HEAD", &[Method("HEAD")], &[Reject(405, "MethodNotAllowed", "no")]),
//!     on("f", "the server repeats patches", &[Method("PATCH")], &[Resend(&[20])]),
//!     on("f", "the server processes a PUT twice", &[Method("PUT")], &[Several(|parts, body| vec![(parts.clone(), body.clone()); 2])]),
//!     // ... or the response changes: head, text, fields, items ...
//!     on("g", "a create returns 200", &[Method("POST"), StatusIs(201)], &[Status(200)]),
//!     on("h", "health responses are cacheable", &[Health], &[Header("cache-control", "max-age=60")]),
//!     on("i", "excluded checks have no colon", &[Health], &[ReplaceText("excluded: ok", "excluded ok")]),
//!     on("j", "lists have resourceVersion 0", &[Collection], &[Set("/metadata/resourceVersion", "\"0\"")]),
//!     on("k", "list items have no resourceVersion", &[Collection], &[EachItem(&Remove("/metadata/resourceVersion"))]),
//!     on("l", "pages lack their last item", &[Collection, Has("limit")], &[EditItems(Items::DropLast)]),
//!     // ... or single watch events ...
//!     on("m", "watches send no bookmarks", &[Watch], &[Events(Event::Drop("BOOKMARK"))]),
//!     on("n", "watches send updates as ADDED", &[Watch], &[Events(Event::Retype("MODIFIED", "ADDED"))]),
//!     on("o", "event objects have no resourceVersion", &[Watch], &[Events(Event::Edit("", &Remove("/metadata/resourceVersion")))]),
//!     // ... or any other part, by a function ...
//!     on("p", "responses to long paths have an extra field", &[Matches(|request| request.path.len() > 99)], &[EditJson(|body| body["x"] = 1.into())]),
//!     // ... or only the replicas deviate, or the store.
//!     at_replicas("q", "a replica returns the object as it was", &[Object], &[AsBefore]),
//!     store("r", "reads return an old state", StoreFault::StaleReads),
//! ];
//! ```

mod body_chunks;
mod condition;
mod edit;
mod effect;
mod layer;
mod request;
mod stream;
#[cfg(test)]
mod tests;

pub use condition::{RequestFacts, When};
pub use edit::{Edit, Event, Items};
pub use effect::Effects;
pub use layer::{FaultLayer, FaultService};
pub(crate) use request::{json_body, parameters};

use crate::cel::deviation::Deviation;
use crate::store::StoreFault;

/// One deviation of a server, named after its clause.
#[derive(Debug)]
pub struct Fault {
    /// The id of the clause.
    pub name: &'static str,
    /// The deviation, as a sentence.
    pub what: &'static str,
    /// The mechanism that causes it.
    pub rule: FaultMechanism,
}

/// A bug of a real server.
#[derive(Debug)]
pub struct Bug {
    /// The fault that reproduces it; its name contains the project and the number of the issue.
    pub fault: Fault,
    /// The URL of the public issue.
    pub thread: &'static str,
    /// The ids of its clauses: at least one must fail.
    pub clauses: &'static [&'static str],
}

/// The cause of a deviation.
#[derive(Debug, Clone, Copy)]
pub enum FaultMechanism {
    /// The store deviates.
    Store(StoreFault),
    /// Expressions deviate.
    Expressions(ExpressionFault),
    /// The layer edits requests and responses.
    Wire(Wire),
    /// The layer edits those of the replicas alone.
    Replica(Wire),
}

/// The deviations of the language of expressions.
#[derive(Debug, Clone, Copy)]
pub struct ExpressionFault(pub(crate) &'static [Deviation]);

/// A rule at the HTTP boundary.
#[derive(Debug, Clone, Copy)]
pub struct Wire {
    /// The conditions on the request: all must hold.
    pub when: &'static [When],
    /// The edits, in order.
    pub edits: &'static [Edit],
}

/// A fault on the wire.
pub const fn on(
    name: &'static str,
    what: &'static str,
    when: &'static [When],
    edits: &'static [Edit],
) -> Fault {
    Fault { name, what, rule: FaultMechanism::Wire(Wire { when, edits }) }
}

/// A fault on the wire of the replicas: the first server has none.
pub const fn at_replicas(
    name: &'static str,
    what: &'static str,
    when: &'static [When],
    edits: &'static [Edit],
) -> Fault {
    Fault { name, what, rule: FaultMechanism::Replica(Wire { when, edits }) }
}

/// A fault of the store.
pub const fn store(name: &'static str, what: &'static str, store_fault: StoreFault) -> Fault {
    Fault { name, what, rule: FaultMechanism::Store(store_fault) }
}

/// A fault of the language of expressions.
pub(crate) const fn expressions(
    name: &'static str,
    what: &'static str,
    deviations: &'static [Deviation],
) -> Fault {
    Fault { name, what, rule: FaultMechanism::Expressions(ExpressionFault(deviations)) }
}
