//! The types that a server says it serves.

use harness::{Context, Halt, Request};
use serde_json::Value;

/// A type of resource, as discovery shows it.
pub(crate) struct Served {
    /// The path of its collection, of all namespaces.
    pub(crate) path: String,
    /// Empty for the core group.
    group: String,
    verbs: Vec<String>,
}

impl Served {
    /// Whether it can be asked for in this way.
    pub(crate) fn has(&self, verb: &str) -> bool {
        self.verbs.iter().any(|known| known == verb)
    }

    /// Whether it is of the core group.
    pub(crate) fn is_core(&self) -> bool {
        self.group.is_empty()
    }

    /// Whether its objects are surely stored: it is a type of Kubernetes that can be read and written in every way.
    ///
    /// Other servers behind the same address may make up what they show.
    pub(crate) fn is_stored(&self) -> bool {
        let own = !self.group.contains('.') || self.group.ends_with(".k8s.io");
        own && ["create", "delete", "get", "list", "update"].iter().all(|verb| self.has(verb))
    }
}

/// All types, each in its group's preferred version; subresources are none.
pub(crate) async fn types(cx: &Context) -> Result<Vec<Served>, Halt> {
    let groups = cx.send(Request::get("/apis")).await?;
    let groups = groups.json().map(|json| each(&json["groups"])).unwrap_or_default();
    let preferred = groups.iter().filter_map(|group| {
        let version = group["preferredVersion"]["groupVersion"].as_str()?;
        Some((group["name"].as_str()?.to_owned(), format!("/apis/{version}")))
    });
    let mut types = Vec::new();
    for (group, root) in [(String::new(), "/api/v1".to_owned())].into_iter().chain(preferred) {
        let found = cx.send(Request::get(&root)).await?;
        let found = found.json().map(|json| each(&json["resources"])).unwrap_or_default();
        types.extend(found.iter().filter_map(|one| {
            let name = one["name"].as_str().filter(|name| !name.contains('/'))?;
            let verbs = each(&one["verbs"]).iter().filter_map(Value::as_str).map(str::to_owned).collect();
            Some(Served { path: format!("{root}/{name}"), group: group.clone(), verbs })
        }));
    }
    Ok(types)
}

fn each(list: &Value) -> Vec<Value> {
    list.as_array().cloned().unwrap_or_default()
}
