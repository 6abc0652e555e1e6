//! Places: the methods that a path supports.

use http::Method;

use crate::failure::Failure;
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::{account_token, kubelet, pods};

/// Checks that the type supports the method at this path.
pub(super) fn check(verb: Verb, path: &ResourcePath, ty: &ResourceType) -> Result<(), Failure> {
    let method_not_allowed = || Err(Failure::method_not_allowed(ty, verb.name()));
    if !ty.namespaced && !path.namespace.is_empty() {
        return Err(Failure::no_such_resource());
    }
    let across = ty.namespaced && path.namespace.is_empty();
    let collection = path.name.is_empty();
    let custom = ty.custom.is_some();
    if custom && collection && matches!(verb, Verb::Update | Verb::Patch) {
        return Err(Failure::bad_request("name must be provided"));
    }
    let supported = match verb {
        Verb::List | Verb::Watch => true,
        // A create of a custom object may have a name in its path, which the server ignores.
        Verb::Create if custom && path.subresource.is_empty() => !across,
        Verb::Create if takes_posts(&path.subresource) => !across,
        Verb::DeleteCollection | Verb::Create => collection && !across,
        Verb::Get | Verb::Update | Verb::Patch | Verb::Delete => !collection && !across,
        Verb::Unknown => false,
    };
    if across && !collection {
        return Err(Failure::no_such_resource());
    }
    // Types that only support create have no paths for objects.
    if ty.verbs == ["create"] && !collection {
        return Err(Failure::no_such_resource());
    }
    if !custom && !path.subresource.is_empty() && !ty.has_subresource(&path.subresource) {
        return Err(Failure::no_such_resource());
    }
    if !supported || !ty.verbs.contains(&verb.name()) {
        return method_not_allowed();
    }
    match path.subresource.as_str() {
        "" => Ok(()),
        // kube-apiserver looks up a custom object first: the error is that of a missing object.
        name if !ty.has_subresource(name) => Err(Failure::not_found(ty, &path.name)),
        name if kubelet::is_upgraded(name) && !matches!(verb, Verb::Get | Verb::Create) => {
            method_not_allowed()
        }
        name if kubelet::connects(name) => Ok(()),
        name if takes_posts(name) && verb != Verb::Create => method_not_allowed(),
        pods::LOG if verb != Verb::Get => method_not_allowed(),
        name if takes_posts(name) => Ok(()),
        "finalize" if verb != Verb::Update => method_not_allowed(),
        _ if matches!(verb, Verb::Get | Verb::Update | Verb::Patch) => Ok(()),
        _ => method_not_allowed(),
    }
}

/// Checks that the path has the method itself: a built-in type has HEAD only where it has a proxy, a custom one as GET.
pub(super) fn check_head(method: &Method, path: &ResourcePath, ty: &ResourceType) -> Result<(), Failure> {
    let has_proxy = kubelet::connects(&path.subresource) && !kubelet::is_upgraded(&path.subresource);
    if *method == Method::HEAD && ty.custom.is_none() && !has_proxy {
        return Err(Failure::unsupported_method());
    }
    Ok(())
}

/// Whether a subresource supports POST.
fn takes_posts(subresource: &str) -> bool {
    pods::is_posted(subresource) || kubelet::connects(subresource) || subresource == account_token::NAME
}
