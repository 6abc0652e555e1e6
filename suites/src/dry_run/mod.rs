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
    Suite::new(
        "dry-run",
        [
            kept::rows(),
            subresource::rows(),
            refused::rows(),
            answer::rows(),
            generated::rows(),
            parameter::rows(),
            refused::custom_rows(),
            answer::types_rows(),
            authorization::rows(),
            admission::rows(),
            webhook::rows(),
            quota::rows(),
            allocation::rows(),
        ],
    )
}

/// The same request without its last step.
fn dry(request: Request) -> Request {
    request.query("dryRun", "All")
}
