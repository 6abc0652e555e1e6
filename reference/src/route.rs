//! Routes: mapping of path and method to resource and verb.

use http::Method;

use crate::query::Query;

/// The verb of a request, as in authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Read one object.
    Get,
    /// List a collection.
    List,
    /// Watch a collection.
    Watch,
    /// Create an object.
    Create,
    /// Replace an object.
    Update,
    /// Patch an object.
    Patch,
    /// Delete an object.
    Delete,
    /// Delete a collection.
    DeleteCollection,
    /// Any other method.
    Unknown,
}

impl Verb {
    /// The name, as in discovery.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
            Self::Unknown => "",
        }
    }
}

/// The parts of a resource path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ResourcePath {
    /// The group; empty for the core group.
    pub(crate) group: String,
    pub(crate) version: String,
    /// The namespace; empty for all, or for cluster scope.
    pub(crate) namespace: String,
    /// The plural.
    pub(crate) plural: String,
    /// The name; empty for a collection.
    pub(crate) name: String,
    /// The subresource; empty for the object itself.
    pub(crate) subresource: String,
    /// Whether the path has the deprecated form `/api/v1/watch/…`.
    pub(crate) old_watch: bool,
}

impl ResourcePath {
    /// Parses a path, with or without a slash at its end: `None` for a non-resource path.
    ///
    /// As in Go, an escaped slash separates parts as well.
    pub(crate) fn parse(path: &str) -> Option<Self> {
        let path = decode(path);
        let parts: Vec<&str> = path.strip_prefix('/')?.trim_end_matches('/').split('/').collect();
        let (group, version, rest) = match parts.as_slice() {
            ["api", version, rest @ ..] => ("", *version, rest),
            ["apis", group, version, rest @ ..] => (*group, *version, rest),
            _ => return None,
        };
        let (old_watch, rest) = match rest {
            ["watch", rest @ ..] if !rest.is_empty() => (true, rest),
            rest => (false, rest),
        };
        let (namespace, rest) = scope(rest);
        let (plural, name, subresource) = match rest {
            [plural] => (*plural, "", ""),
            [plural, name] => (*plural, *name, ""),
            [plural, name, subresource] => (*plural, *name, *subresource),
            _ => return None,
        };
        if plural.is_empty() || rest.iter().skip(1).any(|part| part.is_empty()) {
            return None;
        }
        let [group, version, namespace, plural, name, subresource] =
            [group, version, namespace, plural, name, subresource].map(str::to_owned);
        Some(Self { group, version, namespace, plural, name, subresource, old_watch })
    }

    /// The verb of a method on this path.
    pub(crate) fn verb(&self, method: &Method, query: &Query) -> Verb {
        let is_object = !self.name.is_empty();
        match method.as_str() {
            "GET" | "HEAD" if self.old_watch => Verb::Watch,
            "GET" | "HEAD" if is_object => Verb::Get,
            "GET" | "HEAD" if query.flag("watch").unwrap_or(false) => Verb::Watch,
            "GET" | "HEAD" => Verb::List,
            "POST" => Verb::Create,
            "PUT" => Verb::Update,
            "PATCH" => Verb::Patch,
            "DELETE" if is_object => Verb::Delete,
            "DELETE" => Verb::DeleteCollection,
            _ => Verb::Unknown,
        }
    }
}

/// The namespace of a path, and the rest of the path.
fn scope<'a, 'b>(rest: &'b [&'a str]) -> (&'a str, &'b [&'a str]) {
    match rest {
        ["namespaces", _, "finalize" | "status"] => ("", rest),
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (namespace, rest),
        rest => ("", rest),
    }
}

fn decode(path: &str) -> String {
    // A plus sign has no special meaning in a path.
    let query = format!("p={}", path.replace('+', "%2B").replace('&', "%26"));
    form_urlencoded::parse(query.as_bytes()).next().map(|(_, value)| value.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_parse_in_every_scope() {
        let parse = |path| {
            let path = ResourcePath::parse(path)?;
            Some([path.group, path.namespace, path.plural, path.name, path.subresource].join(" "))
        };
        assert_eq!(parse("/api/v1/configmaps").as_deref(), Some("  configmaps  "));
        assert_eq!(parse("/api/v1/namespaces/a/configmaps/b").as_deref(), Some(" a configmaps b "));
        assert_eq!(parse("/api/v1/namespaces/a").as_deref(), Some("  namespaces a "));
        assert_eq!(parse("/api/v1/namespaces/a/finalize").as_deref(), Some("  namespaces a finalize"));
        assert_eq!(parse("/apis/g/v1/namespaces/a/things/b/status").as_deref(), Some("g a things b status"));
        assert_eq!(parse("/apis/g/v1/things/a%2Bb").as_deref(), Some("g  things a+b "));
        assert_eq!(parse("/api/v1/namespaces/a%2Fb/configmaps").as_deref(), Some(" a b configmaps "));
        assert_eq!(parse("/api/v1/configmaps/a=%3D%26&b").as_deref(), Some("  configmaps a==&&b "));
        assert_eq!(parse("/api/v1/namespaces/").as_deref(), Some("  namespaces  "));
        assert_eq!(parse("/api/v1/namespaces/a/configmaps/b/").as_deref(), Some(" a configmaps b "));
        assert_eq!(parse("/api/v1/namespaces/a/configmaps//b"), None);
        assert_eq!(parse("/api/v1/"), None);
        assert_eq!(parse("/api/v1"), None);
        assert_eq!(parse("/api/v1/configmaps/a/b/c"), None);
        assert_eq!(parse("/livez"), None);
    }
}
