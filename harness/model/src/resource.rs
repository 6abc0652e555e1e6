//! A resource type, as in paths and in objects.

/// A resource type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The API group; empty for the core group.
    pub group: String,
    /// Such as `v1`.
    pub version: String,
    /// The plural, as in paths.
    pub plural: String,
    /// The kind, as in objects.
    pub kind: String,
}

impl Resource {
    /// `ConfigMaps`: built-in objects that need no controller and no schema of the run.
    pub fn configmaps() -> Self {
        Self::core("configmaps", "ConfigMap")
    }

    /// Namespaces.
    pub fn namespaces() -> Self {
        Self::core("namespaces", "Namespace")
    }

    /// A type of the core group.
    pub fn core(plural: &str, kind: &str) -> Self {
        Self::of("", "v1", plural, kind)
    }

    /// A type of any group.
    pub fn of(group: &str, version: &str, plural: &str, kind: &str) -> Self {
        let [group, version, plural, kind] = [group, version, plural, kind].map(str::to_owned);
        Self { group, version, plural, kind }
    }

    /// `apiVersion` as in objects.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// A kind other than its own.
    pub fn another_kind(&self) -> &'static str {
        if self.kind == "Secret" { "ConfigMap" } else { "Secret" }
    }

    /// `apiVersion` of a version that its group does not have.
    pub fn another_api_version(&self) -> String {
        Self { version: "v999".to_owned(), ..self.clone() }.api_version()
    }

    /// Group, version and plural, as in `apps/v1/deployments`.
    pub fn collection(&self) -> String {
        format!("{}/{}", self.api_version(), self.plural)
    }

    /// The path of the group and version.
    pub fn root(&self) -> String {
        if self.group.is_empty() {
            format!("/api/{}", self.version)
        } else {
            format!("/apis/{}", self.api_version())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_type_is_never_the_same() {
        let autoscalers =
            Resource::of("autoscaling", "v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler");
        for resource in [Resource::configmaps(), Resource::core("secrets", "Secret"), autoscalers] {
            assert_ne!(resource.another_kind(), resource.kind);
            assert_ne!(resource.another_api_version(), resource.api_version());
        }
    }
}
