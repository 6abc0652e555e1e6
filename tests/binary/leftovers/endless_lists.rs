//! A list whose end nobody sees: what it has shown is removed, and the rest is not taken for nothing.

use serde_json::json;

use super::ROLES;
use crate::support::http::edited;
use crate::support::{Proxy, Reference, Reply, kube_assay};

#[test]
fn objects_of_a_list_without_end_are_removed() {
    let reference = Reference::right();
    let metadata = json!({ "name": "assay-k3f9x2-1-a", "labels": { "kube-assay/run": "k3f9x2" } });
    let role =
        json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata });
    reference.create(ROLES, &role);
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", ROLES) => {
            Reply::Edited(|list| edited(list, |body| body["metadata"]["continue"] = "more".into()))
        }
        _ => Reply::Pass,
    });
    let program = kube_assay(&["clean", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--removal-timeout", "2s"]).end().ended_with(3);
    assert!(ended.out.starts_with(&format!("removed {ROLES}/assay-k3f9x2-1-a\n")), "{}", ended.out);
    assert!(ended.err.contains(&format!("failed to search {ROLES}: ")), "{}", ended.err);
    assert!(!reference.names(ROLES).contains(&"assay-k3f9x2-1-a".to_owned()));
}
