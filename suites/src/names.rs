//! Names: kinds that validate them as DNS subdomains, and others.

use crate::prelude::*;

/// Kubernetes' own groups that do not end in `.k8s.io`.
const OWN_GROUPS: [&str; 5] = ["", "apps", "autoscaling", "batch", "policy"];

/// Skips what only holds of names that must be subdomains.
pub(crate) fn require_subdomains(resource: &Resource) -> Checked {
    reason_for_other_names(resource).map_or(Ok(()), |reason| Err(Halt::Skipped(reason)))
}

/// Why the names of a type need not be subdomains; `None` if they must.
pub(crate) fn reason_for_other_names(resource: &Resource) -> Option<String> {
    let Resource { group, plural, .. } = resource;
    if is_of_path_steps(resource) {
        return Some(format!("the names of {plural} need only be steps of a path"));
    }
    let known = OWN_GROUPS.contains(&group.as_str()) || group.ends_with(".k8s.io");
    let ours = group.ends_with(".kube-assay.dev");
    // An aggregated server gives its types names as it likes.
    (!known && !ours)
        .then(|| format!("the format of the names of {plural} is not known: {group} is not Kubernetes' own"))
}

/// Whether the names of a type need only be steps of a path: those of roles and bindings by design, those of disruption
/// budgets because kube-apiserver does not validate them.
fn is_of_path_steps(resource: &Resource) -> bool {
    let budgets = resource.group == "policy" && resource.plural == "poddisruptionbudgets";
    resource.group == "rbac.authorization.k8s.io" || budgets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_subdomains_where_kubernetes_or_we_say_so() {
        let strict = |group: &str, plural: &str| {
            reason_for_other_names(&Resource::of(group, "v1", plural, "")).is_none()
        };
        assert!(strict("", "configmaps") && strict("networking.k8s.io", "ingresses"));
        assert!(strict("x1.kube-assay.dev", "gadgets"));
        assert!(!strict("rbac.authorization.k8s.io", "roles") && !strict("policy", "poddisruptionbudgets"));
        assert!(!strict("wardle.example.com", "flunders"));
    }
}
