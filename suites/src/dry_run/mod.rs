//! Area `dry-run`: requests with `dryRun=All`.

mod admission;
mod allocation;
mod authorization;
mod generated_fields;
mod parameter;
mod persistence;
mod quota;
mod rejections;
mod response;
mod subresource;
mod webhook;

use harness::{Request, Suite};

pub(crate) fn suite() -> Suite {
    Suite::new(
        "dry-run",
        [
            persistence::rows(),
            subresource::rows(),
            rejections::rows(),
            response::rows(),
            generated_fields::rows(),
            parameter::rows(),
            response::types_rows(),
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
