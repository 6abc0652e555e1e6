//! The published `OpenAPI` documents: definitions and operations of built-in kinds.
//!
//! Without the types of other projects: those of other groups, and those of a group with custom resource
//! definitions.

use std::collections::{BTreeSet, HashSet};

pub(crate) use harness::is_of_the_project;

use crate::prelude::*;

/// The published documents: one, or one for each group and version.
pub(crate) struct Published {
    documents: Vec<Arc<Exchange>>,
    foreign: HashSet<String>,
}

/// A definition, and its document.
#[derive(Clone, Copy)]
pub(crate) struct Definition<'a> {
    pub(crate) published: &'a Exchange,
    pub(crate) name: &'a str,
    document: &'a Value,
    pub(crate) schema: &'a Value,
}

/// A kind, by its group, version and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupKind {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
}

/// An operation on a path.
pub(crate) struct Operation<'a> {
    pub(crate) published: &'a Exchange,
    pub(crate) path: &'a str,
    pub(crate) described: &'a Value,
}

/// Reads the documents. Skips where the server publishes none.
pub(crate) async fn published(cx: &Context) -> Result<Published, Halt> {
    let whole = cx.send(Request::get("/openapi/v2")).await?;
    let documents = if describes(&whole) { vec![whole] } else { of_each_group(cx).await? };
    if documents.is_empty() {
        return Err(cx.lacks("OpenAPI", "neither /openapi/v2 nor /openapi/v3 describes a path in JSON"));
    }
    Ok(Published { documents, foreign: custom_groups(cx).await? })
}

fn describes(response: &Exchange) -> bool {
    response.succeeded() && response.json().is_some_and(|json| json["paths"].is_object())
}

/// A get of a URL of the index of documents; not yet sent.
pub(crate) fn get(url: &str) -> Request {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    if query.is_empty() { Request::get(path) } else { Request::get(path).raw_query(query) }
}

async fn of_each_group(cx: &Context) -> Result<Vec<Arc<Exchange>>, Halt> {
    let index = cx.send(Request::get("/openapi/v3")).await?;
    let places = index.json().filter(|_| index.succeeded()).and_then(|json| json["paths"].as_object());
    let mut documents = Vec::new();
    for (place, entry) in places.into_iter().flatten() {
        if group(&format!("/{place}/")).is_some_and(is_of_the_project) {
            let url = entry["serverRelativeURL"].as_str().unwrap_or_default();
            documents.push(cx.send(get(url)).await?);
        }
    }
    documents.retain(|document| describes(document));
    Ok(documents)
}

/// The groups of custom resource definitions, as far as the user may list these.
pub(crate) async fn custom_groups(cx: &Context) -> Result<HashSet<String>, Halt> {
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    // Without the definitions themselves, which may be long.
    let names = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
    let listed = cx.send(Request::get(definitions).accept(names)).await?;
    let items = listed.json().and_then(|json| json["items"].as_array()).into_iter().flatten();
    let names = items.filter_map(|item| item["metadata"]["name"].as_str()?.split_once('.'));
    Ok(names.map(|(_, group)| group.to_owned()).collect())
}

/// The group of a path.
pub(crate) fn group(path: &str) -> Option<&str> {
    let mut steps = path.split('/').skip(1);
    match steps.next()? {
        "api" => Some(""),
        "apis" => steps.next().filter(|group| !group.is_empty()),
        _ => None,
    }
}

impl GroupKind {
    /// As in objects, such as `apps/v1 Deployment`.
    pub(crate) fn brief(&self) -> String {
        let group = if self.group.is_empty() { String::new() } else { format!("{}/", self.group) };
        format!("{group}{} {}", self.version, self.kind)
    }

    /// The field that names the kind of an operation, and the kinds of a schema.
    pub(crate) const FIELD: &str = "x-kubernetes-group-version-kind";

    /// Reads an entry of this field.
    pub(crate) fn read(entry: &Value) -> Option<Self> {
        let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
        entry.is_object().then(|| Self { group: text("group"), version: text("version"), kind: text("kind") })
    }
}

impl Published {
    /// Whether a group belongs to Kubernetes and has no custom types.
    pub(crate) fn is_built_in(&self, group: &str) -> bool {
        is_of_the_project(group) && !self.foreign.contains(group)
    }

    fn paths(&self) -> impl Iterator<Item = (&Exchange, &str, &Value)> {
        let all = self.documents.iter().flat_map(|published| {
            let paths = published.json().and_then(|json| json["paths"].as_object());
            paths.into_iter().flatten().map(|(path, item)| (&**published, path.as_str(), item))
        });
        all.filter(|(_, path, _)| group(path).is_some_and(|group| self.is_built_in(group)))
    }

    /// The operations of a method on built-in types.
    pub(crate) fn operations<'a>(&'a self, method: &'a str) -> impl Iterator<Item = Operation<'a>> {
        self.paths().filter_map(move |(published, path, item)| {
            Some(Operation { published, path, described: item.get(method)? })
        })
    }

    /// The definitions that the operations on built-in types refer to, directly or indirectly.
    pub(crate) fn definitions(&self) -> Vec<Definition<'_>> {
        self.documents.iter().flat_map(|document| self.definitions_of(document)).collect()
    }

    fn definitions_of<'a>(&'a self, published: &'a Arc<Exchange>) -> Vec<Definition<'a>> {
        let Some(document) = published.json() else { return Vec::new() };
        let mut open = BTreeSet::new();
        for (_, _, item) in self.paths().filter(|(of, ..)| std::ptr::eq(*of, published.as_ref())) {
            references(item, &mut open);
        }
        let (mut known, mut found) = (BTreeSet::new(), Vec::new());
        while let Some(reference) = open.pop_first() {
            if !known.insert(reference) {
                continue;
            }
            let Some(schema) = document.pointer(reference) else { continue };
            references(schema, &mut open);
            let name = reference.rsplit('/').next().unwrap_or_default();
            found.push(Definition { published, name, document, schema });
        }
        found
    }

    /// All definitions, also those without an operation. Some of them are of kinds that are not built in.
    pub(crate) fn all_definitions(&self) -> impl Iterator<Item = Definition<'_>> {
        self.documents.iter().flat_map(|published| {
            let document = published.json().unwrap_or(&Value::Null);
            let schemas = ["/definitions", "/components/schemas"].map(|place| document.pointer(place));
            let schemas = schemas.into_iter().flatten().filter_map(Value::as_object).flatten();
            schemas.map(move |(name, schema)| Definition { published, name, document, schema })
        })
    }

    /// The index of the last document, as evidence for an absent definition.
    pub(crate) fn last(&self) -> Option<usize> {
        self.documents.last().map(|document| document.index)
    }

    /// The definitions of built-in kinds that match.
    pub(crate) fn definitions_of_kinds(
        &self,
        holds: impl Fn(&GroupKind) -> bool,
    ) -> impl Iterator<Item = Definition<'_>> {
        let is_one = move |kind: &GroupKind| self.is_built_in(&kind.group) && holds(kind);
        self.all_definitions().filter(move |definition| definition.kinds().iter().any(&is_one))
    }
}

/// The definitions that a part of a document refers to, as pointers.
fn references<'a>(part: &'a Value, found: &mut BTreeSet<&'a str>) {
    match part {
        Value::Object(fields) => {
            found.extend(reference(part).filter(|pointer| {
                pointer.starts_with("/definitions/") || pointer.starts_with("/components/schemas/")
            }));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// The reference in a part of a document, as a pointer.
fn reference(part: &Value) -> Option<&str> {
    part["$ref"].as_str()?.strip_prefix('#')
}

impl<'a> Definition<'a> {
    /// The description of a property in its place.
    pub(crate) fn property(&self, name: &str) -> Option<&'a Value> {
        self.schema["properties"].get(name)
    }

    /// The names of all properties.
    pub(crate) fn properties(&self) -> BTreeSet<&'a str> {
        let properties = self.schema["properties"].as_object().into_iter().flatten();
        properties.map(|(name, _)| name.as_str()).collect()
    }

    /// Whether a property is required.
    pub(crate) fn requires(&self, name: &str) -> bool {
        self.schema["required"].as_array().is_some_and(|required| required.iter().any(|one| one == name))
    }

    /// The kind, from the end of its name.
    pub(crate) fn kind(&self) -> &'a str {
        self.name.rsplit('.').next().unwrap_or_default()
    }

    /// Its kinds.
    pub(crate) fn kinds(&self) -> Vec<GroupKind> {
        let listed = self.schema[GroupKind::FIELD].as_array().into_iter().flatten();
        listed.filter_map(GroupKind::read).collect()
    }

    /// The definition that a part of this one refers to, perhaps with additions, or that it contains.
    pub(crate) fn follow(&self, part: &'a Value) -> Self {
        let alone = part["allOf"].as_array().and_then(|all| all.first()).unwrap_or(part);
        match reference(alone).and_then(|pointer| Some((pointer, self.document.pointer(pointer)?))) {
            Some((pointer, schema)) => {
                Self { name: pointer.rsplit('/').next().unwrap_or_default(), schema, ..*self }
            }
            None => Self { schema: alone, ..*self },
        }
    }

    /// A failure of this definition.
    pub(crate) fn expect(&self, holds: bool, expected: &str, actual: &str) -> Checked {
        let of = |what: &str| format!("{}: {what}", self.name);
        self.published.expect(holds, of(expected), of(actual))
    }
}
