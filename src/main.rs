//! kube-assay.
fn main() {}
