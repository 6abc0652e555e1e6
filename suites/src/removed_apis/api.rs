//! APIs as data, and what responses show of them.

use crate::access_review;
use crate::discovery::aggregated;
use crate::prelude::*;

/// A resource in a group and version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Api {
    /// Group and version, as in objects.
    pub(crate) version: &'static str,
    /// The plural, as in paths.
    pub(crate) plural: &'static str,
    /// The kind, as in objects.
    pub(crate) kind: &'static str,
    /// Whether its objects live in namespaces.
    pub(crate) namespaced: bool,
}

/// A removed API: the minor that deprecates it, and the first minor without it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Removal {
    pub(super) deprecated: u32,
    pub(super) minor: u32,
    pub(super) api: Api,
}

/// An API that replaces a removed one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replacement {
    pub(super) api: Api,
    /// The optional feature that it is a part of.
    pub(super) feature: Option<&'static str>,
}

pub(crate) const fn cluster(version: &'static str, plural: &'static str, kind: &'static str) -> Api {
    Api { version, plural, kind, namespaced: false }
}

pub(crate) const fn namespaced(version: &'static str, plural: &'static str, kind: &'static str) -> Api {
    Api { version, plural, kind, namespaced: true }
}

pub(super) const fn removed(deprecated: u32, minor: u32, api: Api) -> Removal {
    Removal { deprecated, minor, api }
}

pub(super) const fn replacement(api: Api) -> Replacement {
    Replacement { api, feature: None }
}

impl Replacement {
    pub(super) const fn of_feature(self, feature: &'static str) -> Self {
        Self { feature: Some(feature), ..self }
    }
}

impl Removal {
    /// Skips if the removal may not apply: without a known release, and on an alpha of the removing one.
    pub(super) fn require_release(&self, cx: &Context) -> Checked {
        let minor = require_minor(cx)?;
        let release = &cx.target_info().release;
        let is_alpha = release.contains("-alpha") && minor == self.minor;
        Halt::skip_unless(!is_alpha, format!("{release} may serve what 1.{} removes", self.minor))
    }
}

/// The minor that the server behaves as. Skips if `/version` has none: no `since` of the catalogue applies then.
pub(crate) fn require_minor(cx: &Context) -> Result<u32, Halt> {
    let version = cx.target_info().version.ok_or_else(|| Halt::skip("/version has no minor"))?;
    Ok(version.minor)
}

impl Api {
    /// Group and version.
    pub(crate) fn group_version(&self) -> (&'static str, &'static str) {
        self.version.split_once('/').unwrap_or(("", self.version))
    }

    /// As in messages: `jobs in batch/v1`.
    pub(crate) fn name(&self) -> String {
        format!("{} in {}", self.plural, self.version)
    }

    /// The path of its discovery document.
    pub(super) fn root(&self) -> String {
        let root = if self.version.contains('/') { "/apis" } else { "/api" };
        format!("{root}/{}", self.version)
    }

    /// Where its objects are listed and created: in the namespace `default`, if it has namespaces.
    pub(crate) fn path(&self) -> String {
        let namespace = if self.namespaced { "/namespaces/default" } else { "" };
        format!("{}{namespace}/{}", self.root(), self.plural)
    }

    /// The same type, as other scenarios name it.
    pub(crate) fn resource(&self) -> Resource {
        let (group, version) = self.group_version();
        Resource::of(group, version, self.plural, self.kind)
    }

    /// An object with a name and nothing else.
    pub(crate) fn body(&self, name: &str) -> Value {
        json!({ "apiVersion": self.version, "kind": self.kind, "metadata": { "name": name } })
    }

    /// Its entry in the discovery document of its group and version.
    pub(super) fn entry_in<'a>(&self, document: &'a Exchange) -> Option<&'a Value> {
        let resources = document.json().filter(|_| document.succeeded())?["resources"].as_array()?;
        resources.iter().find(|resource| resource["name"] == self.plural)
    }

    /// Whether an aggregated discovery document lists it.
    pub(super) fn is_in_aggregated(&self, document: &Exchange) -> bool {
        let versions = aggregated::all_versions(document);
        let version = versions.get(&self.group_version());
        let resources = version.and_then(|version| version["resources"].as_array());
        resources.into_iter().flatten().any(|resource| resource["resource"] == self.plural)
    }

    /// Whether a path of an `OpenAPI` document of its group and version is one of its own.
    pub(super) fn has_path(&self, path: &str) -> bool {
        path.split('/').any(|part| part == self.plural)
    }

    /// The response is no 403 if the user has the permission. Skips without it.
    pub(crate) async fn expect_permitted(&self, cx: &Context, verb: &str, response: &Exchange) -> Checked {
        if response.status() != 403 {
            return Ok(());
        }
        let (group, version) = self.group_version();
        let namespace = namespace_of(&response.request.path);
        let attributes = json!({
            "group": group, "version": version, "resource": self.plural, "verb": verb, "namespace": namespace,
        });
        let review = json!({
            "apiVersion": access_review::resource().api_version(), "kind": access_review::resource().kind,
            "spec": { "resourceAttributes": attributes },
        });
        let reviewed = cx.send(Request::post(access_review::path(cx).await?, &review)).await?;
        let allowed = reviewed.json().is_some_and(|review| review["status"]["allowed"] == true);
        Halt::skip_unless(allowed, format!("the user of kube-assay may not {verb} {}", self.name()))?;
        Err(response
            .judged()
            .fail(format!("no HTTP 403: a review allows {verb} of {}", self.name()), response.brief()))
    }
}

/// The namespace of a path; empty if it has none.
fn namespace_of(path: &str) -> &str {
    let below = path.split_once("/namespaces/").map_or("", |(_, below)| below);
    below.split('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_of_an_api_have_its_plural_as_a_part() {
        let jobs = namespaced("batch/v1", "jobs", "Job");
        assert_eq!(jobs.path(), "/apis/batch/v1/namespaces/default/jobs");
        assert_eq!(namespaced("v1", "endpoints", "Endpoints").path(), "/api/v1/namespaces/default/endpoints");
        assert!(jobs.has_path("/apis/batch/v1/namespaces/{namespace}/jobs/{name}/status"));
        assert!(!jobs.has_path("/apis/batch/v1/namespaces/{namespace}/cronjobs"));
        assert_eq!((namespace_of(&jobs.path()), namespace_of("/apis/batch/v1/jobs")), ("default", ""));
        assert_eq!(
            cluster("node.k8s.io/v1", "runtimeclasses", "RuntimeClass").name(),
            "runtimeclasses in node.k8s.io/v1"
        );
    }
}
