//! RBAC: authorization by Roles and `RoleBindings`.

use serde_json::Value;

use crate::api::Call;
use crate::auth::User;
use crate::cluster::Cluster;
use crate::lifecycle;
use crate::metadata::text;
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::semantics::Checked;

const GROUP: &str = "rbac.authorization.k8s.io";

/// What a user wants to do, and where.
pub(crate) struct Access<'a> {
    pub(crate) user: &'a str,
    pub(crate) groups: Vec<String>,
    pub(crate) verb: &'a str,
    pub(crate) namespace: &'a str,
    pub(crate) group: &'a str,
    /// The plural, and the subresource after a slash.
    pub(crate) resource: String,
    pub(crate) name: &'a str,
}

/// Whether a role in the namespace of the request grants it to the user.
pub(crate) fn grants(call: &Call, verb: Verb, path: &ResourcePath, ty: &ResourceType) -> bool {
    let resource = match path.subresource.as_str() {
        "" => ty.plural.clone(),
        subresource => format!("{}/{subresource}", ty.plural),
    };
    let access = Access {
        user: call.user.name(),
        groups: call.user.groups(),
        verb: verb.name(),
        namespace: &path.namespace,
        group: &ty.group,
        resource,
        name: &path.name,
    };
    allows(&call.cluster, &access)
}

/// Whether a role in the namespace allows the access.
pub(crate) fn allows(cluster: &Cluster, access: &Access<'_>) -> bool {
    let in_namespace = |plural: &str| {
        let all = lifecycle::all(cluster, &format!("{plural}.{GROUP}"));
        all.into_iter().filter(|object| text(object, "namespace") == access.namespace).collect::<Vec<_>>()
    };
    if access.namespace.is_empty() {
        return false;
    }
    let bindings = in_namespace("rolebindings");
    let bound_roles = bindings.iter().filter(|binding| binds(binding, "Role", access));
    let bound_roles: Vec<_> = bound_roles.map(|binding| binding["roleRef"]["name"].clone()).collect();
    let roles = in_namespace("roles");
    let mut granted = roles.iter().filter(|role| bound_roles.contains(&role["metadata"]["name"]));
    granted.any(|role| {
        let mut rules = role["rules"].as_array().into_iter().flatten();
        rules.any(|rule| rule_allows(rule, access))
    })
}

/// Checks access to a path without a resource, which a cluster role can grant.
pub(crate) fn may_path(
    cluster: &Cluster,
    user: &User,
    groups: Vec<String>,
    method: &str,
    path: &str,
) -> Checked {
    let verb = method.to_ascii_lowercase();
    user.may_path(&verb, path).or_else(|failure| {
        let access = Access {
            user: user.name(),
            groups,
            verb: &verb,
            namespace: "",
            group: "",
            resource: String::new(),
            name: "",
        };
        let all = |plural: &str| lifecycle::all(cluster, &format!("{plural}.{GROUP}"));
        let bindings = all("clusterrolebindings");
        let bound = bindings.iter().filter(|binding| binds(binding, "ClusterRole", &access));
        let bound: Vec<_> = bound.map(|binding| binding["roleRef"]["name"].clone()).collect();
        let roles = all("clusterroles");
        let mut granted = roles.iter().filter(|role| bound.contains(&role["metadata"]["name"]));
        let grants = granted.any(|role| {
            let mut rules = role["rules"].as_array().into_iter().flatten();
            rules.any(|rule| rule_allows_path(rule, &verb, path))
        });
        if grants { Ok(()) } else { Err(failure) }
    })
}

/// Whether a rule has the verb, and the path or the start of it before a star.
fn rule_allows_path(rule: &Value, verb: &str, path: &str) -> bool {
    let texts = |field: &str| rule[field].as_array().into_iter().flatten().filter_map(Value::as_str);
    let has_verb = texts("verbs").any(|own| own == verb || own == "*");
    has_verb
        && texts("nonResourceURLs").any(|own| match own.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => own == path,
        })
}

fn binds(binding: &Value, role_kind: &str, access: &Access<'_>) -> bool {
    let mut subjects = binding["subjects"].as_array().into_iter().flatten();
    let is_subject = subjects.any(|subject| match subject["kind"].as_str().unwrap_or_default() {
        "User" => subject["name"] == access.user,
        "ServiceAccount" => {
            let field = |name: &str| subject[name].as_str().unwrap_or_default();
            let (namespace, name) = (field("namespace"), field("name"));
            access.user == format!("system:serviceaccount:{namespace}:{name}")
        }
        "Group" => access.groups.iter().any(|group| subject["name"] == group.as_str()),
        _ => false,
    });
    is_subject && binding["roleRef"]["kind"] == role_kind
}

fn rule_allows(rule: &Value, access: &Access<'_>) -> bool {
    let listed = |field: &str, name: &str| {
        let mut names = rule[field].as_array().into_iter().flatten();
        names.any(|value| value == name || value == "*")
    };
    let all_names = rule["resourceNames"].as_array().is_none_or(Vec::is_empty);
    listed("verbs", access.verb)
        && listed("apiGroups", access.group)
        && listed("resources", &access.resource)
        && (all_names || listed("resourceNames", access.name))
}
