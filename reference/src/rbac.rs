//! RBAC: authorization by Roles and `RoleBindings`.

use serde_json::Value;

use crate::api::Call;
use crate::lifecycle;
use crate::metadata::text;
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};

const GROUP: &str = "rbac.authorization.k8s.io";

/// Whether a role in the namespace of the request grants it to the user.
pub(crate) fn grants(call: &Call, verb: Verb, path: &ResourcePath, ty: &ResourceType) -> bool {
    let in_namespace = |plural: &str| {
        let all = lifecycle::all(&call.cluster, &format!("{plural}.{GROUP}"));
        all.into_iter().filter(|object| text(object, "namespace") == path.namespace).collect::<Vec<_>>()
    };
    if path.namespace.is_empty() {
        return false;
    }
    let bindings = in_namespace("rolebindings");
    let bound_roles = bindings.iter().filter(|binding| binds_user_to_role(binding, call.user.name()));
    let bound_roles: Vec<_> = bound_roles.map(|binding| binding["roleRef"]["name"].clone()).collect();
    let roles = in_namespace("roles");
    let mut granted = roles.iter().filter(|role| bound_roles.contains(&role["metadata"]["name"]));
    granted.any(|role| {
        let mut rules = role["rules"].as_array().into_iter().flatten();
        rules.any(|rule| allows(rule, verb, path, ty))
    })
}

fn binds_user_to_role(binding: &Value, user: &str) -> bool {
    let mut subjects = binding["subjects"].as_array().into_iter().flatten();
    let is_subject = subjects.any(|subject| subject["kind"] == "User" && subject["name"] == user);
    is_subject && binding["roleRef"]["kind"] == "Role"
}

fn allows(rule: &Value, verb: Verb, path: &ResourcePath, ty: &ResourceType) -> bool {
    let listed = |field: &str, name: &str| {
        let mut names = rule[field].as_array().into_iter().flatten();
        names.any(|value| value == name || value == "*")
    };
    let resource = match path.subresource.as_str() {
        "" => ty.plural.clone(),
        subresource => format!("{}/{subresource}", ty.plural),
    };
    let all_names = rule["resourceNames"].as_array().is_none_or(Vec::is_empty);
    listed("verbs", verb.name())
        && listed("apiGroups", &ty.group)
        && listed("resources", &resource)
        && (all_names || listed("resourceNames", &path.name))
}
