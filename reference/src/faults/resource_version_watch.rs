//! Faults of resource versions on watches, and of future versions.

use super::watch::decrement;
use super::{AT_A_VERSION, AT_FUTURE_VERSION, FROM_NOW};
use crate::fault::{Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFault;

const READ: When = Method("GET");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("rv-watch-unset-state-and-most-recent", "a watch without a resourceVersion has no initial events",
        &[Watch, Lacks("resourceVersion"), Lacks("sendInitialEvents")], FROM_NOW),
    on("rv-watch-zero-state-and-any", "a watch from resourceVersion 0 has no initial events", &[Watch, Is("resourceVersion", "0")], FROM_NOW),
    on("rv-watch-nonzero-start-exact", "a watch from a resourceVersion starts with initial events", &[Watch, AT_A_VERSION], &[DropParameter("resourceVersion")]),
    on("rv-watch-initial-events-are-added", "initial events are MODIFIED", &[Watch, Not(&AT_A_VERSION)],
        &[Events(Event::Retype("ADDED", "MODIFIED"))]),
    on("rv-watch-initial-state-complete", "the server sends at most 50 initial events", &[Watch, Not(&AT_A_VERSION)], &[Events(Event::Lose(51, 200))]),
    on("rv-watch-no-gap-after-initial-state", "the server loses the first change after the initial events", &[Watch, Not(&AT_A_VERSION)], &[Events(Event::Lose(2, 2))]),
    on("rv-watch-exact-complete", "a watch loses its third event", &[Watch, AT_A_VERSION], &[Events(Event::Lose(3, 3))]),
    on("rv-watch-exact-excludes-n", "a watch includes the change at its own resourceVersion", &[Watch, AT_A_VERSION],
        &[EditParameter("resourceVersion", decrement)]),
    store("rv-watch-most-recent-consistent", "the initial events show the state before the last write", StoreFault::WatchesFromBefore),
    on("rv-unavailable-never-served-stale", "the server ignores a future resourceVersion", &[READ, AT_FUTURE_VERSION],
        &[DropParameter("resourceVersion"), DropParameter("resourceVersionMatch")]),
    on("rv-unavailable-list-504", "a list at a future resourceVersion hangs", &[List, AT_FUTURE_VERSION], &[Delay(60_000)]),
    on("rv-unavailable-get-504", "a get at a future resourceVersion returns 404", &[READ, Object, AT_FUTURE_VERSION], &[Reject(404, "NotFound", "not found")]),
    on("rv-unavailable-exact-504", "a list at a future resourceVersion returns 410", &[List, AT_FUTURE_VERSION], &[Reject(410, "Expired", "too old")]),
    store("rv-unavailable-becomes-available", "a read at a future resourceVersion waits even after that version exists", StoreFault::WaitsInVain),
    on("rv-unavailable-retry-after", "the Retry-After header of a 504 is 0", &[StatusIs(504)], &[Header("retry-after", "0")]),
    on("rv-unavailable-message", "the 504 of a future resourceVersion has the message of a slow request", &[StatusIs(504)], &[Fail(504, "Timeout", "the request took too long")]),
    on("rv-unavailable-watch-may-wait", "a watch from a future resourceVersion starts now", &[Watch, AT_FUTURE_VERSION], &[DropParameter("resourceVersion")]),
];
