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
    Suite::new(
        "apply-merge",
        [
            live::rows(),
            atomic::rows(),
            set::rows(),
            keyed::rows(),
            map::rows(),
            marker::rows(),
            builtin::rows(),
            workload::rows(),
            custom::rows(),
        ],
    )
}
