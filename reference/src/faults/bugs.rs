//! Bugs of real API servers, stores, proxies and test servers, reproduced as faults.

mod reads;
mod watches;
mod writes;

use crate::fault::{Bug, Edit, Fault, When, on};

/// The reproduced bugs, by kind of request.
pub fn bugs() -> impl Iterator<Item = &'static Bug> {
    [reads::BUGS, watches::BUGS, writes::BUGS].into_iter().flatten()
}

/// A bug that a fault reproduces.
const fn bug(fault: Fault, thread: &'static str, clauses: &'static [&'static str]) -> Bug {
    Bug { fault, thread, clauses }
}

/// A bug that edits on the wire reproduce.
const fn wire(
    name: &'static str,
    what: &'static str,
    thread: &'static str,
    clauses: &'static [&'static str],
    when: &'static [When],
    edits: &'static [Edit],
) -> Bug {
    bug(on(name, what, when, edits), thread, clauses)
}
