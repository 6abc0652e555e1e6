//! Area `gone`: what a server answers for versions that it no longer holds.

mod always;
mod list;
mod never;
mod past;
mod recent;
mod token;
mod watch;

use harness::Suite;

pub(crate) use token::pagination_rows;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "gone",
        [recent::rows(), never::rows(), token::rows(), list::rows(), always::rows(), watch::rows()],
    )
}

/// What the Status of an expired version may give as its reason.
const REASONS: &[&str] = &["Expired", "Gone"];
