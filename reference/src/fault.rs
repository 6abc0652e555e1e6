//! Faults: deliberate violations of clauses, and the rules that describe them.
//!
//! A [`Fault`] breaks the clause of the same name. Its [`FaultMechanism`] is either a [`StoreFault`], which the store
//! implements, or a rule *on the wire*: conditions on the request ([`When`], all of which must hold) and edits of
//! request and response ([`Edit`], in the order given). One tower layer, [`FaultLayer`], applies all rules on the
//! wire. It knows nothing of the server behind it, so it works in front of any API server.
//!
//! The layer edits the request, or refuses it ([`Edit::Refuse`], [`Edit::Instead`]), before there is a response:
//! conditions on the response ([`When::Answered`], [`When::AnswerHas`]) guard only edits of the response. The layer
//! edits the events of a watch one by one.
//!
//! Faults are rows of tables, one table per area of the catalogue in `faults/<area>.rs`:
//!
//! ```
//! use reference::fault::{Edit::*, Event, Fault, Items, When::*, on, store};
//! use reference::StoreFault;
//!
//! const FAULTS: &[Fault] = &[
//!     // What is asked for is changed on its way in ...
//!     on("a", "continue is dropped", &[Collection, Has("continue")], &[DropParameter("continue")]),
//!     on("b", "limit counts one more", &[Is("limit", "2")], &[SetParameter("limit", "3")]),
//!     on("b", "limit counts twice", &[Listing], &[EditParameter("limit", |limit| Some(limit.repeat(2)))]),
//!     on("c", "only old names work", &[Watch], &[RenameParameter("timeoutSeconds", "timeout")]),
//!     on("d", "Accept is not read", &[Object], &[DropRequestHeader("accept")]),
//!     on("e", "labels are dropped", &[Method("POST")], &[RemoveFromRequest("/metadata/labels")]),
//!     // ... or not let in at all ...
//!     on("f", "no HEAD", &[Method("HEAD")], &[Refuse(405, "MethodNotAllowed", "no")]),
//!     on("f", "patches are done twice", &[Method("PATCH")], &[Again(&[20])]),
//!     on("f", "puts are tried first", &[Method("PUT")], &[Several(|parts, body| vec![(parts.clone(), body.clone()); 2])]),
//!     // ... or the response is changed on its way out: head, text, fields, items ...
//!     on("g", "201 becomes 200", &[Method("POST"), Answered(201)], &[Status(200)]),
//!     on("h", "cacheable", &[Health], &[Header("cache-control", "max-age=60")]),
//!     on("i", "no colon", &[Health], &[ReplaceText("excluded: ok", "excluded ok")]),
//!     on("j", "lists are version 0", &[Collection], &[Set("/metadata/resourceVersion", "\"0\"")]),
//!     on("k", "items lack versions", &[Collection], &[OfItems(&Remove("/metadata/resourceVersion"))]),
//!     on("l", "the last item is lost", &[Collection, Has("limit")], &[List(Items::DropLast)]),
//!     // ... and a watch event by event ...
//!     on("m", "no bookmarks", &[Watch], &[Events(Event::Drop("BOOKMARK"))]),
//!     on("n", "updates look new", &[Watch], &[Events(Event::Retype("MODIFIED", "ADDED"))]),
//!     on("o", "events lack versions", &[Watch], &[Events(Event::Edit("", &Remove("/metadata/resourceVersion")))]),
//!     // ... in ways of its own where nothing else fits ...
//!     on("p", "odd ones", &[Asks(|asked| asked.path.len() > 99)], &[EditJson(|body| body["x"] = 1.into())]),
//!     // ... or the store is wrong by itself.
//!     store("q", "reads lag behind", StoreFault::StaleReads),
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

use crate::store::StoreFault;

/// A way to be wrong, named after the clause that it breaks.
#[derive(Debug)]
pub struct Fault {
    /// The id of the clause.
    pub name: &'static str,
    /// What the server then does.
    pub what: &'static str,
    /// How it is made to.
    pub rule: FaultMechanism,
}

/// A bug that a real server once had.
#[derive(Debug)]
pub struct Bug {
    /// How it is re-enacted; its name says whose bug it is, and its number there.
    pub fault: Fault,
    /// Where it receives in public.
    pub thread: &'static str,
    /// The ids of clauses: at least one of them must fail.
    pub clauses: &'static [&'static str],
}

/// How a server is made to be wrong.
#[derive(Debug, Clone, Copy)]
pub enum FaultMechanism {
    /// The store is.
    Store(StoreFault),
    /// Requests and answers are changed on their way.
    Wire(Wire),
}

/// A rule at the HTTP boundary.
#[derive(Debug, Clone, Copy)]
pub struct Wire {
    /// Which requests it is about: all conditions must hold.
    pub when: &'static [When],
    /// What is done, in this order.
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

/// A fault of the store.
pub const fn store(name: &'static str, what: &'static str, store_fault: StoreFault) -> Fault {
    Fault { name, what, rule: FaultMechanism::Store(store_fault) }
}
