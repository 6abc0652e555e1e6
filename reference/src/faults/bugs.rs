//! Bugs of real API servers, stores, proxies and test servers, reproduced as faults.

mod reads;
mod watches;
mod writes;

use crate::fault::{Bug, Edit, Fault, When, on};

/// All bugs.
pub fn bugs() -> impl Iterator<Item = &'static Bug> {
    [reads::BUGS, watches::BUGS, writes::BUGS].into_iter().flatten()
}

/// A bug that is re-enacted by a fault.
const fn bug(fault: Fault, thread: &'static str, clauses: &'static [&'static str]) -> Bug {
    Bug { fault, thread, clauses }
}

/// A bug that is re-enacted on the wire.
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
