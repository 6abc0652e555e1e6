//! The content of discovery: groups, versions and resources, in one form for both kinds of documents.

use std::collections::{BTreeMap, BTreeSet};

use harness::GROUP;

use super::expect_kind;
use crate::api_resources;
use crate::openapi::GroupKind;
use crate::prelude::*;

/// A filter for the versions of groups, such as `apps/v1`.
pub(crate) struct Scope {
    elsewhere: Vec<String>,
    /// The group of the custom types that scenarios share.
    shared: Option<String>,
}

impl Scope {
    /// The versions that the server serves itself. Of custom types in the run's groups, those that scenarios share.
    pub(crate) async fn new(cx: &Context, custom_type: Option<&Resource>) -> Result<Self, Halt> {
        let shared = custom_type.map(|custom_type| custom_type.group.clone());
        Ok(Self { elsewhere: api_resources::aggregated(cx).await?, shared })
    }

    /// Whether the filter includes this version.
    pub(crate) fn includes(&self, group: &str, version: &str) -> bool {
        let others = group.ends_with(GROUP) && self.shared.as_deref() != Some(group);
        !others && !self.elsewhere.contains(&format!("{group}/{version}"))
    }

    /// The groups with versions that the filter includes.
    pub(super) async fn groups(&self, cx: &Context) -> Result<Vec<Value>, Halt> {
        let listed = cx.send(Request::get("/apis")).await?;
        expect_kind(&listed, "APIGroupList")?;
        let own = |group: &&Value| versions(group).all(|version| self.includes(text(group, "name"), version));
        Ok(groups(&listed).filter(own).cloned().collect())
    }

    /// The path of each group version: the core group first.
    pub(crate) async fn roots(&self, cx: &Context) -> Result<Vec<String>, Halt> {
        let groups = self.groups(cx).await?;
        let core = cx.target_info().serves("").then(|| "/api/v1".to_owned());
        Ok(core.into_iter().chain(groups.iter().flat_map(roots)).collect())
    }

    /// The discovery document of each group version, with its path.
    pub(super) async fn documents(&self, cx: &Context) -> Result<Vec<(String, Arc<Exchange>)>, Halt> {
        let roots = self.roots(cx).await?;
        api_resources::send_for_each(cx, roots, |root| Request::get(root.as_str()), None).await
    }
}

/// The paths of the versions of a group.
fn roots(group: &Value) -> impl Iterator<Item = String> {
    versions(group).map(|version| format!("/apis/{}/{version}", text(group, "name")))
}

/// A string field, or the empty string.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// The elements of a list field.
pub(crate) fn each<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value[field].as_array().into_iter().flatten()
}

/// The groups of an `APIGroupList`.
pub(crate) fn groups(list: &Exchange) -> impl Iterator<Item = &Value> {
    list.json().into_iter().flat_map(|json| each(json, "groups"))
}

/// The names of the versions of a group, in its order.
pub(crate) fn versions(group: &Value) -> impl Iterator<Item = &str> {
    each(group, "versions").map(|version| text(version, "version"))
}

/// The description of a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    namespaced: bool,
    kind: GroupKind,
    verbs: BTreeSet<String>,
    singular: String,
    short_names: BTreeSet<String>,
    categories: BTreeSet<String>,
}

/// A group and a version.
type GroupVersion<'a> = (&'a str, &'a str);

/// The resources of a group version by name; the name of a subresource has a slash.
pub(super) type Resources = BTreeMap<String, Entry>;

/// An entry in either form; `kind` holds its kind, and the singular name has a field of its own in each.
fn entry(of: GroupVersion<'_>, namespaced: bool, kind: &Value, singular: &str, described: &Value) -> Entry {
    let (group, version) = match text(kind, "version") {
        // As in the path of the document.
        "" => of,
        // The core group is empty.
        version => (text(kind, "group"), version),
    };
    let kind = text(kind, "kind");
    let texts = |field: &str| each(described, field).filter_map(Value::as_str).map(str::to_owned).collect();
    Entry {
        namespaced,
        kind: GroupKind { group: group.to_owned(), version: version.to_owned(), kind: kind.to_owned() },
        verbs: texts("verbs"),
        singular: text(described, singular).to_owned(),
        short_names: texts("shortNames"),
        categories: texts("categories"),
    }
}

/// The resources of an `APIResourceList`.
pub(super) fn resources(found: &Exchange) -> Resources {
    let of = api_resources::group_version(&found.request.path);
    let read = |resource: &Value| {
        let entry = entry(of, resource["namespaced"] == true, resource, "singularName", resource);
        (text(resource, "name").to_owned(), entry)
    };
    api_resources::resources(found).map(read).collect()
}

/// The resources of a version in an `APIGroupDiscoveryList`.
pub(super) fn aggregated_resources(of: GroupVersion<'_>, version: &Value) -> Resources {
    const SINGULAR: &str = "singularResource";
    const KIND: &str = "responseKind";
    let mut resources = Resources::new();
    for resource in each(version, "resources") {
        let (name, namespaced) = (text(resource, "resource"), resource["scope"] == "Namespaced");
        let main = entry(of, namespaced, &resource[KIND], SINGULAR, resource);
        // A resource without verbs holds the subresources of a resource that is not served.
        if !main.verbs.is_empty() {
            resources.insert(name.to_owned(), main);
        }
        for subresource in each(resource, "subresources") {
            let name = format!("{name}/{}", text(subresource, "subresource"));
            resources.insert(name, entry(of, namespaced, &subresource[KIND], SINGULAR, subresource));
        }
    }
    resources
}

/// Both documents describe the same resources.
pub(super) fn expect_same(aggregated: &Exchange, version: &Value, found: &Exchange) -> Checked {
    let of = api_resources::group_version(&found.request.path);
    let (actual, expected) = (aggregated_resources(of, version), resources(found));
    let names: BTreeSet<_> = actual.keys().chain(expected.keys()).collect();
    for name in names {
        let brief = |of: &Resources| of.get(name).map_or("no such resource".to_owned(), Entry::brief);
        let wanted = format!("{name} as in {}: {}", found.request.path, brief(&expected));
        aggregated.expect(actual.get(name) == expected.get(name), wanted, brief(&actual))?;
    }
    Ok(())
}

impl Entry {
    fn brief(&self) -> String {
        let list = |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let (verbs, short) = (list(&self.verbs), list(&self.short_names));
        let names = format!(
            "singular {:?}, short names [{short}], categories [{}]",
            self.singular,
            list(&self.categories)
        );
        format!("kind {}, namespaced: {}, verbs {verbs}, {names}", self.kind.brief(), self.namespaced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subresources_have_the_name_of_their_resource() {
        let version = json!({ "resources": [
            { "resource": "pods", "scope": "Namespaced", "verbs": ["get"], "responseKind": { "kind": "Pod" },
              "subresources": [{ "subresource": "log", "verbs": ["get"], "responseKind": { "kind": "Pod" } }] },
            { "resource": "ghosts", "verbs": [] },
        ] });
        let resources = aggregated_resources(("", "v1"), &version);
        assert_eq!(resources.keys().collect::<Vec<_>>(), ["pods", "pods/log"]);
        assert_eq!(
            resources["pods/log"].brief(),
            "kind v1 Pod, namespaced: true, verbs get, singular \"\", short names [], categories []"
        );
    }
}
