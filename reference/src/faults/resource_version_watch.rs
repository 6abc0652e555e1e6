//! Faults of resource versions on watches, and of future versions.

use super::watch::one_less;
use super::{AT_A_VERSION, FROM_NOW, OF_THE_FUTURE};
use crate::fault::{Edit::*, Event, Fault, When, When::*, on, store};
use crate::store::StoreFlaw;

const READ: When = Method("GET");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("rv-watch-unset-state-and-most-recent", "a watch without a version has no initial events",
        &[Watch, Lacks("resourceVersion"), Lacks("sendInitialEvents")], FROM_NOW),
    on("rv-watch-zero-state-and-any", "a watch from 0 has no initial events", &[Watch, Is("resourceVersion", "0")], FROM_NOW),
    on("rv-watch-nonzero-start-exact", "a watch from a version begins with the state", &[Watch, AT_A_VERSION], &[DropParameter("resourceVersion")]),
    on("rv-watch-initial-events-are-added", "what exists comes as modified", &[Watch, Not(&AT_A_VERSION)],
        &[Events(Event::Retype("ADDED", "MODIFIED"))]),
    on("rv-watch-initial-state-complete", "the initial state is cut after 50 objects", &[Watch, Not(&AT_A_VERSION)], &[Events(Event::Lose(51, 200))]),
    on("rv-watch-no-gap-after-initial-state", "the first change after the state is lost", &[Watch, Not(&AT_A_VERSION)], &[Events(Event::Lose(2, 2))]),
    on("rv-watch-exact-complete", "two changes in a row are told as one", &[Watch, AT_A_VERSION], &[Events(Event::Lose(3, 3))]),
    on("rv-watch-exact-excludes-n", "a watch begins with the version that it is given", &[Watch, AT_A_VERSION],
        &[EditParameter("resourceVersion", one_less)]),
    store("rv-watch-most-recent-consistent", "a watch begins one write ago", StoreFlaw::WatchesFromBefore),
    on("rv-unavailable-never-served-stale", "versions of the future are not looked at", &[READ, OF_THE_FUTURE],
        &[DropParameter("resourceVersion"), DropParameter("resourceVersionMatch")]),
    on("rv-unavailable-list-504", "a list of the future hangs", &[Listing, OF_THE_FUTURE], &[Delay(60_000)]),
    on("rv-unavailable-get-504", "a get of the future finds nothing", &[READ, Object, OF_THE_FUTURE], &[Refuse(404, "NotFound", "not found")]),
    on("rv-unavailable-exact-504", "an exact list of the future is gone", &[Listing, OF_THE_FUTURE], &[Refuse(410, "Expired", "too old")]),
    store("rv-unavailable-becomes-available", "who waits for a version does not notice that it has come", StoreFlaw::WaitsInVain),
    on("rv-unavailable-retry-after", "Retry-After is 0", &[Answered(504)], &[Header("retry-after", "0")]),
    on("rv-unavailable-message", "the refusal reads like that of a slow request", &[Answered(504)], &[Fail(504, "Timeout", "the request took too long")]),
    on("rv-unavailable-watch-may-wait", "a watch from the future begins now", &[Watch, OF_THE_FUTURE], &[DropParameter("resourceVersion")]),
];
