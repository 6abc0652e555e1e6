//! Area `update`: PUT.

mod identity;
mod path_mismatch;
mod rejections;
mod replace;
mod version;

use harness::Suite;

pub(crate) use version::concurrency_rows;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "update",
        [replace::rows(), version::rows(), path_mismatch::rows(), identity::rows(), rejections::rows()],
    )
}
