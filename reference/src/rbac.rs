//! RBAC: authorization by Roles and `RoleBindings`.

use serde_json::Value;

use crate::api::Call;
use crate::lifecycle;
use crate::metadata::text;
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};

const GROUP: &str = "rbac.authorization.k8s.io";

/// Whether a role that is bound to the one who asks, in the namespace that is asked for, grants it.
pub(crate) fn grants(call: &Call, verb: Verb, path: &ResourcePath, ty: &ResourceType) -> bool {
    let here = |plural: &str| {
        let all = lifecycle::all(&call.cluster, &format!("{plural}.{GROUP}"));
        all.into_iter().filter(|object| text(object, "namespace") == path.namespace).collect::<Vec<_>>()
    };
    if path.namespace.is_empty() {
        return false;
    }
    let bindings = here("rolebindings");
    let bound = bindings.iter().filter(|binding| is_of(binding, call.user.name()));
    let bound: Vec<_> = bound.map(|binding| binding["roleRef"]["name"].clone()).collect();
    let roles = here("roles");
    let mut held = roles.iter().filter(|role| bound.contains(&role["metadata"]["name"]));
    held.any(|role| {
        let mut rules = role["rules"].as_array().into_iter().flatten();
        rules.any(|rule| allows(rule, verb, path, ty))
    })
}

fn is_of(binding: &Value, user: &str) -> bool {
    let mut subjects = binding["subjects"].as_array().into_iter().flatten();
    let named = subjects.any(|subject| subject["kind"] == "User" && subject["name"] == user);
    named && binding["roleRef"]["kind"] == "Role"
}

fn allows(rule: &Value, verb: Verb, path: &ResourcePath, ty: &ResourceType) -> bool {
    let listed = |field: &str, name: &str| {
        let mut names = rule[field].as_array().into_iter().flatten();
        names.any(|known| known == name || known == "*")
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
