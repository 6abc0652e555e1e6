//! Area `apply-merge`: how what is applied becomes one with what is there.

mod atomic;
mod builtin;
mod custom;
mod keyed;
mod live;
mod map;
mod marker;
mod set;
mod workload;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts = [
        live::add,
        atomic::add,
        set::add,
        keyed::add,
        map::add,
        marker::add,
        builtin::add,
        workload::add,
        custom::add,
    ];
    parts.iter().fold(Suite::new("apply-merge"), |suite, add| add(suite))
}
