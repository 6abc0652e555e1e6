//! API paths: group, version, namespace, resource, name and subresource.

/// What the path of a request leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    /// As in objects: group and version.
    pub(crate) api_version: &'a str,
    /// The resource.
    pub(crate) plural: &'a str,
    /// The namespace, if the path names one.
    pub(crate) namespace: Option<&'a str>,
    /// The object, if it is not about a collection.
    pub(crate) name: Option<&'a str>,
    /// What of the object, if it is not about all of it.
    pub(crate) subresource: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// Reads a path; nothing if it leads to no resource.
    pub(crate) fn of(path: &'a str) -> Option<Self> {
        let (api_version, rest) = below_version(path)?;
        let steps: Vec<&str> = rest.split('/').collect();
        let (namespace, steps) = match steps[..] {
            // A namespace's own subresources stand where its collections do.
            ["namespaces", _, "status" | "finalize"] => (None, &steps[..]),
            ["namespaces", namespace, _, ..] => (Some(namespace), &steps[2..]),
            _ => (None, &steps[..]),
        };
        let (&plural, names) = steps.split_first()?;
        let whole = steps.iter().chain(namespace.iter()).all(|step| !step.is_empty());
        let (name, subresource) = (names.first().copied(), names.get(1).copied());
        let known = whole && names.len() <= 2 && plural != "watch";
        known.then_some(Self { api_version, plural, namespace, name, subresource })
    }

    /// The group; empty for the core group.
    pub(crate) fn group(&self) -> &'a str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// Whether objects are stored there: others are made up as they are asked for, and reviews are answered and forgotten.
    pub(crate) fn is_stored(&self) -> bool {
        let group = self.group();
        let measured = group == "metrics.k8s.io" || group.ends_with(".metrics.k8s.io");
        let reviewed = matches!(group, "authentication.k8s.io" | "authorization.k8s.io");
        !measured && !reviewed && self.plural != "componentstatuses"
    }
}

/// The group and version of a path, and what comes after them.
fn below_version(path: &str) -> Option<(&str, &str)> {
    if let Some(rest) = path.strip_prefix("/api/") {
        return rest.split_once('/');
    }
    let rest = path.strip_prefix("/apis/")?;
    let (group, after) = rest.split_once('/')?;
    let (version, below) = after.split_once('/')?;
    Some((&rest[..=group.len() + version.len()], below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> Option<String> {
        let Place { api_version, plural, namespace, name, subresource } = Place::of(path)?;
        let parts = [Some(api_version), namespace, Some(plural), name, subresource];
        Some(parts.map(|part| part.unwrap_or("-")).join(" "))
    }

    #[test]
    fn a_place_is_read_from_its_path() {
        let places = [
            ("/api/v1/nodes", "v1 - nodes - -"),
            ("/api/v1/namespaces", "v1 - namespaces - -"),
            ("/api/v1/namespaces/a", "v1 - namespaces a -"),
            ("/api/v1/namespaces/a/status", "v1 - namespaces a status"),
            ("/api/v1/namespaces/a/pods", "v1 a pods - -"),
            ("/api/v1/namespaces/a/pods/b/status", "v1 a pods b status"),
            ("/apis/apps/v1/deployments", "apps/v1 - deployments - -"),
            ("/apis/x.example.com/v1/namespaces/a/things/b", "x.example.com/v1 a things b -"),
        ];
        for (path, expected) in places {
            assert_eq!(read(path).as_deref(), Some(expected), "{path}");
        }
        let others = [
            "/api",
            "/api/v1",
            "/api/v1/",
            "/apis/apps",
            "/apis/apps/v1",
            "/version",
            "/api/v1/watch/pods",
            "/api/v1/namespaces//pods",
            "/api/v1/namespaces/a/pods/b/proxy/c",
            "/openapi/v3/api/v1",
        ];
        for path in others {
            assert_eq!(read(path), None, "{path}");
        }
    }
}
