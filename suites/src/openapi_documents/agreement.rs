//! The operations of built-in types, against discovery.

use std::collections::BTreeMap;

use crate::api_resources::{self, group_version};
use crate::openapi::{self, GroupKind, Operation, Published};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(CHECKS, Kinds::Own, built_in_types).into_iter().map(Row::read_only).collect()
}

/// A check of the operations against the listed resources.
type Check = fn(&Published, &[Listed]) -> Checked;

const CHECKS: &[(&str, Check)] = &[
    ("openapi-operations-of-discovery", every_verb_has_an_operation),
    ("openapi-only-served-operations", every_operation_has_a_verb),
    ("openapi-kinds-of-discovery", kinds_agree),
];

/// Each verb with its method, its action in `OpenAPI`, and whether its path is that of the collection.
const VERBS: [(&str, &str, &str, bool); 7] = [
    ("get", "get", "get", false),
    ("list", "get", "list", true),
    ("create", "post", "post", true),
    ("update", "put", "put", false),
    ("patch", "patch", "patch", false),
    ("delete", "delete", "delete", false),
    ("deletecollection", "delete", "deletecollection", true),
];

/// A resource or subresource in discovery.
struct Listed {
    document: Arc<Exchange>,
    /// The path of its group version.
    root: String,
    entry: Value,
}

impl Listed {
    fn name(&self) -> &str {
        self.entry["name"].as_str().unwrap_or_default()
    }

    fn can(&self, verb: &str) -> bool {
        self.entry["verbs"].as_array().is_some_and(|verbs| verbs.iter().any(|known| known == verb))
    }

    /// The path of an operation, with its parameters.
    fn path(&self, of_collection: bool) -> String {
        let (resource, subresource) = self.name().split_once('/').unwrap_or((self.name(), ""));
        let namespace = if self.entry["namespaced"] == true { "/namespaces/{namespace}" } else { "" };
        let collection = format!("{}{namespace}/{resource}", self.root);
        match (subresource, of_collection) {
            ("", true) => collection,
            ("", false) => format!("{collection}/{{name}}"),
            _ => format!("{collection}/{{name}}/{subresource}"),
        }
    }

    /// Its kind; group and version are those of the document if the entry has none.
    fn kind(&self) -> GroupKind {
        let text =
            |field: &str| self.entry[field].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let (group, version) = group_version(&self.root);
        match text("version") {
            // A group version of its own; the core group is empty.
            Some(version) => GroupKind {
                group: text("group").unwrap_or_default(),
                version,
                kind: text("kind").unwrap_or_default(),
            },
            None => GroupKind {
                group: group.to_owned(),
                version: version.to_owned(),
                kind: text("kind").unwrap_or_default(),
            },
        }
    }
}

async fn built_in_types(cx: Context, check: Check) -> Checked {
    let published = openapi::published(&cx).await?;
    let mut listed = Vec::new();
    for (root, document) in api_resources::discovered(&cx).await? {
        if published.is_built_in(group_version(&root).0) {
            let entries = api_resources::resources(&document).cloned();
            let entry = |entry| Listed { document: document.clone(), root: root.clone(), entry };
            listed.extend(entries.map(entry));
        }
    }
    Halt::skip_unless(!listed.is_empty(), "this server has no built-in types")?;
    check(&published, &listed)
}

/// The operations of all methods, by path and method.
fn operations(published: &Published) -> BTreeMap<(&str, &'static str), Operation<'_>> {
    let of_method = |method| published.operations(method).map(move |found| ((found.path, method), found));
    ["get", "post", "put", "patch", "delete"].into_iter().flat_map(of_method).collect()
}

fn every_verb_has_an_operation(published: &Published, listed: &[Listed]) -> Checked {
    let operations = operations(published);
    for resource in listed {
        for (verb, method, _, of_collection) in VERBS.iter().filter(|(verb, ..)| resource.can(verb)) {
            let path = resource.path(*of_collection);
            let there = operations.contains_key(&(path.as_str(), *method));
            let expected = format!(
                "the operation {method} on {path} in OpenAPI, for the verb {verb} of {}",
                resource.name()
            );
            resource.document.expect(there, expected, "no such operation")?;
        }
    }
    Ok(())
}

fn kinds_agree(published: &Published, listed: &[Listed]) -> Checked {
    let operations = operations(published);
    for resource in listed {
        for (_, method, _, of_collection) in VERBS.iter().filter(|(verb, ..)| resource.can(verb)) {
            let path = resource.path(*of_collection);
            let Some(operation) = operations.get(&(path.as_str(), *method)) else { continue };
            let Some(kind) = GroupKind::read(&operation.described[GroupKind::FIELD]) else { continue };
            let expected = format!("{} as in discovery, for {method} on {path}", resource.kind().brief());
            operation.published.expect(kind == resource.kind(), expected, kind.brief())?;
        }
    }
    Ok(())
}

fn every_operation_has_a_verb(published: &Published, listed: &[Listed]) -> Checked {
    for ((path, _), operation) in operations(published) {
        let action = operation.described["x-kubernetes-action"].as_str().unwrap_or_default();
        // Others are watches, and connections.
        let Some((verb, ..)) = VERBS.iter().find(|(_, _, known, _)| *known == action) else { continue };
        let Some((root, name)) = resource(path) else { continue };
        let served =
            listed.iter().any(|listed| listed.root == root && listed.name() == name && listed.can(verb));
        let expected = format!("operations that discovery lists, on {path} the verb {verb} of {name}");
        operation.published.expect(
            served,
            expected,
            format!("the action {action}, and no such verb in {root}"),
        )?;
    }
    Ok(())
}

/// The group version's path and the name of the resource or subresource of an operation. `None` for other paths.
fn resource(path: &str) -> Option<(String, String)> {
    let steps: Vec<_> = path.split('/').skip(1).collect();
    let length = if steps.first() == Some(&"api") { 2 } else { 3 };
    let (root, rest) = steps.split_at_checked(length)?;
    let rest = match rest {
        ["namespaces", "{namespace}", plural, more @ ..] => [&[*plural], more].concat(),
        _ => rest.to_vec(),
    };
    let name = match rest[..] {
        [plural] | [plural, "{name}"] => plural.to_owned(),
        [plural, "{name}", subresource] => format!("{plural}/{subresource}"),
        _ => return None,
    };
    Some((format!("/{}", root.join("/")), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_their_resource() {
        let of = |path: &str| resource(path).map(|(root, name)| format!("{root} {name}"));
        assert_eq!(of("/api/v1/pods").as_deref(), Some("/api/v1 pods"));
        assert_eq!(of("/api/v1/namespaces/{name}/status").as_deref(), Some("/api/v1 namespaces/status"));
        assert_eq!(
            of("/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale").as_deref(),
            Some("/apis/apps/v1 deployments/scale")
        );
        assert!(of("/api/v1/").is_some_and(|found| found == "/api/v1 ") && of("/apis").is_none());
        assert!(of("/api/v1/nodes/{name}/proxy/{path}").is_none());
    }
}
