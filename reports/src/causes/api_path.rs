//! The path of a request, taken apart into what it names.

/// What a path below `/api` or `/apis` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ApiPath<'a> {
    pub(super) group: &'a str,
    pub(super) resource: &'a str,
    pub(super) namespace: Option<&'a str>,
    pub(super) name: Option<&'a str>,
    pub(super) subresource: Option<&'a str>,
}

impl<'a> ApiPath<'a> {
    /// `None` for every path that names no type: discovery, health checks, schemas.
    pub(super) fn read(path: &'a str) -> Option<Self> {
        let (root, rest) = path.strip_prefix('/')?.split_once('/')?;
        let (group, rest) = match root {
            "api" => ("", rest),
            "apis" => rest.split_once('/')?,
            _ => return None,
        };
        let (_version, rest) = rest.split_once('/')?;
        let parts: Vec<&str> = rest.splitn(5, '/').collect();
        let (namespace, parts) = match parts.as_slice() {
            // These are subresources of the namespace itself.
            ["namespaces", _, "status" | "finalize"] => (None, parts.as_slice()),
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (Some(*namespace), rest),
            _ => (None, parts.as_slice()),
        };
        let (&resource, rest) = parts.split_first().filter(|(resource, _)| !resource.is_empty())?;
        let [name, subresource] = [0, 1].map(|at| rest.get(at).copied().filter(|part| !part.is_empty()));
        Some(Self { group, resource, namespace, name, subresource })
    }

    /// Such as `deployments.apps`.
    pub(super) fn group_resource(&self) -> String {
        let Self { group, resource, .. } = self;
        if group.is_empty() { (*resource).to_owned() } else { format!("{resource}.{group}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> Option<(String, [&str; 3])> {
        let read = ApiPath::read(path)?;
        let parts = [read.namespace, read.name, read.subresource];
        Some((read.group_resource(), parts.map(Option::unwrap_or_default)))
    }

    #[test]
    fn what_a_path_names() {
        for (path, resource, parts) in [
            ("/api/v1/configmaps", "configmaps", ["", "", ""]),
            ("/api/v1/namespaces/n/configmaps/a", "configmaps", ["n", "a", ""]),
            ("/apis/apps/v1/namespaces/n/deployments/a/status", "deployments.apps", ["n", "a", "status"]),
            ("/api/v1/namespaces/n", "namespaces", ["", "n", ""]),
            ("/api/v1/namespaces/n/finalize", "namespaces", ["", "n", "finalize"]),
            ("/api/v1/namespaces/n/configmaps/", "configmaps", ["n", "", ""]),
        ] {
            assert_eq!(read(path), Some((resource.to_owned(), parts)), "{path}");
        }
        for path in ["", "/", "/api", "/apis/apps", "/apis/apps/v1", "/api/v1/", "/livez/ping", "//x"] {
            assert_eq!(read(path), None, "{path}");
        }
    }
}
