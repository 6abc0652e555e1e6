//! Area `dry-run`: requests with `dryRun=All`.

mod admission;
mod allocation;
mod authorization;
mod eviction;
mod generated_fields;
mod parameter;
mod persistence;
mod quota;
mod rejections;
mod response;
mod subresource;
mod webhook;

use crate::prelude::*;

suite![
    "dry-run",
    persistence,
    subresource,
    eviction,
    rejections,
    response,
    generated_fields,
    parameter,
    authorization,
    admission,
    webhook,
    quota,
    allocation
];

/// The same request as a dry run.
fn dry(request: Request) -> Request {
    request.query("dryRun", "All")
}
