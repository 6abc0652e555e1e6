//! kube-assay: a conformance suite and load generator for Kubernetes API servers.

use std::process::ExitCode;

fn main() -> ExitCode {
    kube_assay::main()
}
