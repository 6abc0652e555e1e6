//! kube-assay: a conformance suite and load generator for Kubernetes API servers.

use std::process::ExitCode;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    kube_assay::main()
}
