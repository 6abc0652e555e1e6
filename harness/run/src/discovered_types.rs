//! The types of a server, from its discovery documents.

use model::{Exchange, Request, TestError, Type};
use serde_json::Value;
use target::types_of;

use crate::fixture::{Fixtures, not_listed};

/// The types that a server serves.
pub(crate) struct DiscoveredTypes {
    pub(crate) types: Vec<Type>,
    /// The discovery documents that the server did not return, each with the response.
    pub(crate) missing: Vec<String>,
    /// The response to GET /apis, in short.
    pub(crate) groups: String,
}

/// Reads the document of the core group, and those at the paths that `of_groups` chooses.
pub(crate) async fn discover(
    fixtures: &Fixtures,
    of_groups: impl FnOnce(&[Value]) -> Vec<String>,
) -> Result<DiscoveredTypes, TestError> {
    let groups = fixtures.send(Request::get("/apis")).await?;
    let (mut types, mut missing) = (Vec::new(), Vec::new());
    // A server may have the core group alone, or one group that it does not list.
    if groups_in(&groups).is_none() && groups.status() != 404 {
        missing.push(not_listed("/apis", &groups));
    }
    let mut paths = vec!["/api/v1".to_owned()];
    paths.extend(of_groups(groups_in(&groups).map_or(&[], Vec::as_slice)));
    for path in paths {
        let discovered = fixtures.send(Request::get(&path)).await?;
        match discovered.status() {
            // A server without the core group.
            404 if path == "/api/v1" => {}
            _ if discovered.succeeded() => types.extend(types_of(&discovered, |_| true)),
            _ => missing.push(not_listed(&path, &discovered)),
        }
    }
    Ok(DiscoveredTypes { types, missing, groups: groups.brief() })
}

/// The paths of the documents of the preferred version of each group.
pub(crate) fn preferred_versions(groups: &[Value]) -> Vec<String> {
    let versions = groups.iter().filter_map(|group| group["preferredVersion"]["groupVersion"].as_str());
    versions.map(|version| format!("/apis/{version}")).collect()
}

/// The path of a type's collection, in a namespace or in all.
pub(crate) fn collection(ty: &Type, namespace: Option<&str>) -> String {
    let root = if ty.api_version.contains('/') { "/apis" } else { "/api" };
    let namespace = namespace.map(|name| format!("namespaces/{name}/")).unwrap_or_default();
    format!("{root}/{}/{namespace}{}", ty.api_version, ty.plural)
}

fn groups_in(response: &Exchange) -> Option<&Vec<Value>> {
    response.json().filter(|_| response.succeeded())?["groups"].as_array()
}
