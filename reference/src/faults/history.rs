//! Faults of linearizable histories: reads, lists and watches out of order.

use crate::fault::{Edit::*, Event, Fault, When::*, on, store};
use crate::store::StoreFault;

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    store("history-writes-ordered", "the server counts resource versions per object", StoreFault::CountsPerObject),
    store("history-reads-linearizable", "reads return the state before the last write", StoreFault::StaleReads),
    store("history-cached-reads-whole", "a read at resourceVersion 0 returns annotations of the previous state",
        StoreFault::MixesStates),
    store("history-lists-snapshot", "lists show every other object as it was before its last change",
        StoreFault::MixesLists),
    on("history-watchers-agree", "a watch swaps each pair of events", &[Watch], &[Events(Event::Swap)]),
    on("history-refusals-without-trace", "some updates succeed, though the server returns 409",
        &[Method("PUT"), Object, Every(3), StatusIs(200)], &[Fail(409, "Conflict", "the object has been modified")]),
    on("history-unknown-outcomes", "the server repeats patches several times later", &[Method("PATCH"), Object],
        &[Resend(&[5, 25, 100, 400])]),
];
