//! What a server publishes of its types: the schemas of its `OpenAPI`.

use std::sync::Arc;

use harness::{Context, Exchange, Halt, Request};
use serde_json::Value;

/// The document of all types. Where there is none, each group version has its own.
const ALL: &str = "/openapi/v2";
const EACH: &str = "/openapi/v3";

/// A kind by its group, version and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupKind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

impl GroupKind {
    /// Whether it is one of Kubernetes' own: nobody else's types are judged by the rules for them.
    pub(crate) fn is_of_the_project(&self) -> bool {
        is_of_the_project(&self.group)
    }
}

/// Whether a group is one of Kubernetes' own.
pub(crate) fn is_of_the_project(group: &str) -> bool {
    !group.contains('.') || group.ends_with(".k8s.io")
}

/// The documents with the schemas of Kubernetes' own types.
pub(crate) async fn documents(cx: &Context) -> Result<Vec<Arc<Exchange>>, Halt> {
    let all = cx.send(Request::get(ALL)).await?;
    if all.json().is_some_and(|json| json["definitions"].is_object()) {
        return Ok(vec![all]);
    }
    let index = cx.send(Request::get(EACH)).await?;
    let mut documents = Vec::new();
    for (place, entry) in index.json().and_then(|json| json["paths"].as_object()).into_iter().flatten() {
        let group = place.strip_prefix("apis/").and_then(|rest| rest.split_once('/'));
        let own = place.starts_with("api/") || group.is_some_and(|(group, _)| is_of_the_project(group));
        if let Some(path) = entry["serverRelativeURL"].as_str().filter(|_| own) {
            let (path, query) = path.split_once('?').unwrap_or((path, ""));
            documents.push(cx.send(Request::get(path).raw_query(query)).await?);
        }
    }
    if documents.is_empty() { Err(cx.lacks("OpenAPI", all.brief())) } else { Ok(documents) }
}

/// The schemas of a document, by name.
pub(crate) fn schemas(document: &Exchange) -> impl Iterator<Item = (&String, &Value)> {
    let json = document.json();
    let of = |pointer| json.and_then(|json| json.pointer(pointer)).and_then(Value::as_object);
    of("/definitions").or_else(|| of("/components/schemas")).into_iter().flatten()
}

/// The kinds that a schema is of.
pub(crate) fn kinds(schema: &Value) -> Vec<GroupKind> {
    let text = |kind: &Value, field: &str| kind[field].as_str().unwrap_or_default().to_owned();
    let listed = schema["x-kubernetes-group-version-kind"].as_array().into_iter().flatten();
    let read = |kind: &Value| GroupKind {
        group: text(kind, "group"),
        version: text(kind, "version"),
        kind: text(kind, "kind"),
    };
    listed.map(read).collect()
}

/// The name of the schema that a property refers to, perhaps with something added.
pub(crate) fn reference(property: &Value) -> Option<&str> {
    let direct = property["$ref"].as_str();
    let added = || property["allOf"].as_array()?.iter().find_map(|part| part["$ref"].as_str());
    direct.or_else(added)?.rsplit('/').next()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_may_have_something_added() {
        let name = Some("io.k8s.ObjectMeta");
        assert_eq!(reference(&json!({ "$ref": "#/definitions/io.k8s.ObjectMeta" })), name);
        let all = json!({ "default": {}, "allOf": [{ "$ref": "#/components/schemas/io.k8s.ObjectMeta" }] });
        assert_eq!(reference(&all), name);
        assert_eq!(reference(&json!({ "type": "object" })), None);
    }

    #[test]
    fn groups_of_the_project_are_told_by_their_names() {
        assert!(["", "apps", "storage.k8s.io"].iter().all(|group| is_of_the_project(group)));
        assert!(!["example.com", "cluster.x-k8s.io"].iter().any(|group| is_of_the_project(group)));
    }
}
