//! API paths: group, version, namespace, resource, name and subresource.

/// The parts of a request's path below `/api` or `/apis`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiPath<'a> {
    /// Group and version, as in objects: `v1`, `apps/v1`.
    pub api_version: &'a str,
    /// The plural of the resource.
    pub plural: &'a str,
    /// The namespace, if the path has one.
    pub namespace: Option<&'a str>,
    /// The name of the object; `None` for a collection.
    pub name: Option<&'a str>,
    /// The subresource and everything after it: `status`, `proxy/index.html`.
    pub subresource: Option<&'a str>,
    /// Whether the path has the deprecated prefix `watch/`.
    pub watched: bool,
}

impl<'a> ApiPath<'a> {
    /// Reads a path; `None` if it names no resource, such as the paths of discovery, health checks and schemas.
    pub fn read(path: &'a str) -> Option<Self> {
        let (api_version, rest) = split_version(path.trim_matches('/'))?;
        let (watched, rest) = match rest.strip_prefix("watch") {
            Some("") => return None,
            Some(below) if below.starts_with('/') => (true, &below[1..]),
            _ => (false, rest),
        };
        let (namespace, rest) = match split_namespace(rest) {
            Some((namespace, below)) => (Some(namespace), below),
            None => (None, rest),
        };
        let mut parts = rest.splitn(3, '/');
        let plural = parts.next().filter(|plural| !plural.is_empty())?;
        let mut next = || parts.next().filter(|part| !part.is_empty());
        Some(Self { api_version, plural, namespace, name: next(), subresource: next(), watched })
    }

    /// The group; empty for the core group.
    pub fn group(&self) -> &'a str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// Group, version and plural, as in `apps/v1/deployments`.
    pub fn collection(&self) -> String {
        format!("{}/{}", self.api_version, self.plural)
    }

    /// Plural and group, as in `deployments.apps`.
    pub fn group_resource(&self) -> String {
        let (group, plural) = (self.group(), self.plural);
        if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") }
    }
}

/// Splits a path after its group and version.
fn split_version(path: &str) -> Option<(&str, &str)> {
    if let Some(rest) = path.strip_prefix("api/") {
        return rest.split_once('/');
    }
    let rest = path.strip_prefix("apis/")?;
    let (group, after) = rest.split_once('/')?;
    let (version, below) = after.split_once('/')?;
    Some((&rest[..=group.len() + version.len()], below))
}

/// Splits a path after its namespace. A namespace's own subresources have the position of its collections.
fn split_namespace(rest: &str) -> Option<(&str, &str)> {
    let (namespace, below) = rest.strip_prefix("namespaces/")?.split_once('/')?;
    (!["status", "finalize"].contains(&below)).then_some((namespace, below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> Option<String> {
        let ApiPath { api_version, plural, namespace, name, subresource, watched } = ApiPath::read(path)?;
        let parts = [Some(api_version), namespace, Some(plural), name, subresource];
        let parts = parts.map(|part| part.unwrap_or("-")).join(" ");
        Some(if watched { format!("watch {parts}") } else { parts })
    }

    #[test]
    fn a_path_is_split_into_its_parts() {
        let paths = [
            ("/api/v1/nodes", "v1 - nodes - -"),
            ("/api/v1/namespaces", "v1 - namespaces - -"),
            ("/api/v1/namespaces/a", "v1 - namespaces a -"),
            ("/api/v1/namespaces/a/status", "v1 - namespaces a status"),
            ("/api/v1/namespaces/a/finalize", "v1 - namespaces a finalize"),
            ("/api/v1/namespaces/a/pods", "v1 a pods - -"),
            ("/api/v1/namespaces/a/pods/", "v1 a pods - -"),
            ("/api/v1/namespaces/a/pods/b/status", "v1 a pods b status"),
            ("/api/v1/namespaces/a/pods/b/proxy/c/d", "v1 a pods b proxy/c/d"),
            ("/api/v1/watch/namespaces/a/pods/b", "watch v1 a pods b -"),
            ("/api/v1/watches", "v1 - watches - -"),
            ("/apis/apps/v1/deployments", "apps/v1 - deployments - -"),
            ("/apis/x.example.com/v1/namespaces/a/things/b", "x.example.com/v1 a things b -"),
        ];
        for (path, expected) in paths {
            assert_eq!(read(path).as_deref(), Some(expected), "{path}");
        }
        let others = ["", "/", "/api", "/api/v1", "/api/v1/", "/apis/apps", "/apis/apps/v1", "/api/v1/watch"];
        for path in others.into_iter().chain(["/version", "/livez/ping", "//x", "/openapi/v3/api/v1"]) {
            assert_eq!(read(path), None, "{path}");
        }
    }

    #[test]
    fn a_path_names_its_group_and_collection() {
        let path = ApiPath::read("/apis/apps/v1/namespaces/n/deployments/a").unwrap();
        assert_eq!((path.group(), path.collection().as_str()), ("apps", "apps/v1/deployments"));
        assert_eq!(path.group_resource(), "deployments.apps");
        assert_eq!(ApiPath::read("/api/v1/configmaps").unwrap().group_resource(), "configmaps");
    }
}
