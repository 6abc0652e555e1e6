//! Names: most types have them validated as subdomains, and some as steps of a path only.

use harness::Resource;

/// Whether the names of a type need only be steps of a path: those of roles and bindings by design, those of disruption
/// budgets because kube-apiserver does not validate them.
pub(crate) fn are_steps_of_a_path(resource: &Resource) -> bool {
    let budgets = resource.group == "policy" && resource.plural == "poddisruptionbudgets";
    resource.group == "rbac.authorization.k8s.io" || budgets
}
