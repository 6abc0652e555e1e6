//! Faults of linearizable histories: reads, lists and watches out of order.

use crate::fault::{Edit::*, Event, Fault, When::*, on, store};
use crate::store::StoreFlaw;

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    store("history-writes-ordered", "versions are counted per object", StoreFlaw::CountsPerObject),
    store("history-reads-linearizable", "reads show the state of one write ago", StoreFlaw::StaleReads),
    store("history-cached-reads-whole", "a read at version 0 has the annotations of the state before",
        StoreFlaw::MixesStates),
    store("history-lists-snapshot", "lists show every other object as it was before its last change",
        StoreFlaw::MixesLists),
    on("history-watchers-agree", "each two events of a watch change places", &[Watch], &[Events(Event::Swap)]),
    on("history-refusals-without-trace", "some updates are done, and then refused for a conflict",
        &[Method("PUT"), Object, Every(3), Answered(200)], &[Fail(409, "Conflict", "the object has been modified")]),
    on("history-unknown-outcomes", "patches are done again and again later on", &[Method("PATCH"), Object],
        &[Again(&[5, 25, 100, 400])]),
];
