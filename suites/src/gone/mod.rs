//! Area `gone`: what a server answers for versions that it no longer holds.

mod always;
mod list;
mod never;
mod past;
mod recent;
mod token;
mod watch;

use harness::Suite;

pub(crate) use token::add_to_pagination;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let suite = Suite::new("gone");
    let suite = recent::add(never::add(token::add(list::add(suite)))).on_custom_resources();
    always::add(watch::add(suite))
}

/// What the Status of an expired version may give as its reason.
const REASONS: &[&str] = &["Expired", "Gone"];
