//! Where a request goes, as its path says.

/// What a path is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Group, version and plural, as in `apps/v1/deployments`.
    pub collection: String,
    /// The namespace, if the path names one.
    pub namespace: Option<String>,
    /// The object, if it is not about a collection.
    pub name: Option<String>,
    /// What of the object, if it is not about all of it.
    pub subresource: Option<String>,
    /// Whether the path itself asks for a watch, as with the deprecated prefix `watch/`.
    pub watched: bool,
}

impl Place {
    /// Reads a path; `None` if it leads to no resource.
    pub fn of(path: &str) -> Option<Self> {
        let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
        let (root, rest) = match segments.as_slice() {
            ["api", version, rest @ ..] => ((*version).to_owned(), rest),
            ["apis", group, version, rest @ ..] => (format!("{group}/{version}"), rest),
            _ => return None,
        };
        let (watched, rest) = rest.strip_prefix(&["watch"]).map_or((false, rest), |rest| (true, rest));
        let (namespace, rest) = match rest {
            ["namespaces", _, "status" | "finalize"] => (None, rest),
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (Some((*namespace).to_owned()), rest),
            _ => (None, rest),
        };
        let at = |index: usize| rest.get(index).map(|segment| (*segment).to_owned());
        let collection = format!("{root}/{}", at(0)?);
        let subresource = (rest.len() > 2).then(|| rest[2..].join("/"));
        Some(Self { collection, namespace, name: at(1), subresource, watched })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(path: &str) -> Option<(String, String)> {
        let place = Place::of(path)?;
        let parts = [place.namespace, place.name, place.subresource].map(Option::unwrap_or_default);
        Some((place.collection, parts.join(" ")))
    }

    #[test]
    fn a_path_says_what_it_is_about() {
        let rows = [
            ("/api/v1/configmaps", "v1/configmaps", "  "),
            ("/api/v1/namespaces/n/configmaps", "v1/configmaps", "n  "),
            ("/apis/apps/v1/namespaces/n/deployments/a/status", "apps/v1/deployments", "n a status"),
            ("/api/v1/namespaces", "v1/namespaces", "  "),
            ("/api/v1/namespaces/n", "v1/namespaces", " n "),
            ("/api/v1/namespaces/n/finalize", "v1/namespaces", " n finalize"),
            ("/api/v1/watch/namespaces/n/pods/a", "v1/pods", "n a "),
        ];
        for (path, collection, parts) in rows {
            assert_eq!(place(path), Some((collection.to_owned(), parts.to_owned())), "{path}");
        }
        assert_eq!(place("/livez"), None);
        assert_eq!(place("/apis/apps/v1"), None);
    }
}
