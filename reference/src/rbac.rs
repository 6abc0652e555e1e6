//! Rights in a namespace: those that its role bindings give to a user by name, with the rules of roles in it.

use serde_json::Value;

use crate::api::Call;
use crate::auth::User;
use crate::lifecycle::all;
use crate::metadata::text;
use crate::route::ResourcePath;

const ROLES: &str = "roles.rbac.authorization.k8s.io";
const BINDINGS: &str = "rolebindings.rbac.authorization.k8s.io";

/// Whether whoever calls may do this with a resource, as the administrator or by a role.
pub(crate) fn may(call: &Call, verb: &str, path: &ResourcePath) -> bool {
    match &call.user {
        User::Admin => true,
        User::Ordinary(name) => {
            let bindings = all(&call.cluster, BINDINGS);
            let here = bindings.iter().filter(|binding| text(binding, "namespace") == path.namespace);
            here.filter(|binding| binds(binding, name)).any(|binding| grants(call, binding, verb, path))
        }
        User::Anonymous => false,
    }
}

fn binds(binding: &Value, user: &str) -> bool {
    let mut subjects = binding["subjects"].as_array().into_iter().flatten();
    subjects.any(|subject| subject["kind"] == "User" && subject["name"] == user)
}

/// Whether a rule of the role that a binding names allows it.
fn grants(call: &Call, binding: &Value, verb: &str, path: &ResourcePath) -> bool {
    let name = binding["roleRef"]["name"].as_str().unwrap_or_default();
    let key = format!("{}/{name}", path.namespace);
    let role = call.cluster.store.get(ROLES, &key, None).filter(|_| binding["roleRef"]["kind"] == "Role");
    let resource = match path.subresource.as_str() {
        "" => path.plural.clone(),
        part => format!("{}/{part}", path.plural),
    };
    let wanted = [("apiGroups", path.group.as_str()), ("resources", resource.as_str()), ("verbs", verb)];
    let allows = |rule: &Value| wanted.iter().all(|(field, value)| names(&rule[*field], value));
    role.is_some_and(|role| role["rules"].as_array().into_iter().flatten().any(allows))
}

fn names(list: &Value, value: &str) -> bool {
    list.as_array().into_iter().flatten().any(|name| name == value || name == "*")
}
