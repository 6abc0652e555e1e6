//! Area `dry-run`: requests that are carried out in every respect but the last.

mod admission;
mod allocation;
mod answer;
mod authorization;
mod generated;
mod kept;
mod parameter;
mod quota;
mod refused;
mod subresource;
mod webhook;

use harness::{Request, Suite};

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let generic = [kept::add, subresource::add, refused::add, answer::add, generated::add, parameter::add];
    let suite = generic.iter().fold(Suite::new("dry-run"), |suite, add| add(suite)).on_custom_resources();
    let particular = [
        refused::add_custom,
        answer::add_types,
        authorization::add,
        admission::add,
        webhook::add,
        quota::add,
        allocation::add,
    ];
    particular.iter().fold(suite, |suite, add| add(suite))
}

/// The same request without its last step.
fn dry(request: Request) -> Request {
    request.query("dryRun", "All")
}
