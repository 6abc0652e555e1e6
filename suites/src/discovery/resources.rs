//! The resources of group versions.

use super::listed::{Scope, each, text};
use super::{custom_type, eventually, expect_kind};
use crate::api_resources::{self, LONGEST, Type};
use crate::definitions;
use crate::prelude::*;
use crate::verbs::or_note;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(discovery_namespaced_truthful).own_kinds(),
        row!(discovery_subresource_entries).own_kinds(),
    ];
    let names = table(NAMES, Kinds::Own, names_of_definition);
    own.into_iter().chain(table(DOCUMENTS, Kinds::Own, documents)).chain(names).collect()
}

/// A check of the document at a path.
type Check = fn(&str, &Exchange) -> Checked;

const DOCUMENTS: &[(&str, Check)] = &[
    ("discovery-resource-list-groupversion", has_its_group_version),
    ("discovery-resource-entry-fields", has_whole_entries),
];

/// Checks the documents of all versions, with one of a custom type among them.
async fn documents(cx: Context, check: Check) -> Checked {
    let custom_type = custom_type(&cx).await?;
    let scope = Scope::new(&cx, custom_type.as_ref()).await?;
    eventually(&cx, || async {
        scope.documents(&cx).await?.iter().try_for_each(|(root, found)| check(root, found))
    })
    .await
}

fn has_its_group_version(root: &str, found: &Exchange) -> Checked {
    expect_kind(found, "APIResourceList")?;
    let expected = root.trim_start_matches("/apis/").trim_start_matches("/api/");
    let actual = found.json().map(|json| text(json, "groupVersion")).unwrap_or_default();
    found.expect(actual == expected, format!("groupVersion {expected:?}"), format!("{actual:?}"))
}

fn has_whole_entries(_: &str, found: &Exchange) -> Checked {
    for entry in api_resources::resources(found) {
        let named = !text(entry, "name").is_empty() && !text(entry, "kind").is_empty();
        let verbs = entry["verbs"]
            .as_array()
            .is_some_and(|verbs| !verbs.is_empty() && verbs.iter().all(Value::is_string));
        let whole = named && verbs && entry["namespaced"].is_boolean();
        found.expect(whole, "a resource with name, kind, namespaced and verbs", entry.to_string())?;
    }
    Ok(())
}

/// The built-in types, and the run's custom type.
pub(super) async fn known_types(cx: &Context) -> Result<Vec<Type>, Halt> {
    let mut types = api_resources::built_in(cx).await?;
    if let Some(gadgets) = or_note(cx, cx.gadgets_resource().await)? {
        let found = cx.eventually(|| async {
            let found = cx.send(Request::get(gadgets.root())).await?;
            let described = api_resources::resources(&found).find(|known| known["name"] == gadgets.plural);
            Ok(described.and_then(|described| Type::read(&gadgets.root(), described)))
        });
        types.extend(found.await?);
    }
    Ok(types)
}

async fn discovery_namespaced_truthful(cx: Context) -> Checked {
    let types = known_types(&cx).await?.into_iter().filter(|ty| ty.can("list"));
    let places = types.flat_map(|ty| [(ty.path_in("default"), ty.clone(), true), (ty.path(), ty, false)]);
    let selector = format!("metadata.name={}", cx.own_name("missing"));
    let list = |(path, ..): &(String, Type, bool)| {
        Request::get(path.as_str()).query("fieldSelector", &selector).query("limit", 1)
    };

    let responses = api_resources::send_for_each(&cx, places.collect(), list, Some(LONGEST)).await?;

    // Users may lack the permission to list some types.
    for ((_, ty, below), response) in responses.into_iter().filter(|(_, response)| response.status() != 403) {
        let found = !below || ty.namespaced;
        cx.or_unjudged(expect_found(&cx, &response, found))?;
    }
    Ok(())
}

/// A list that fails for another reason, such as an object that the server cannot decrypt, does not show where the type is.
fn expect_found(cx: &Context, response: &Exchange, found: bool) -> Checked {
    if found && response.status() == 500 {
        let why = cx.test_error(format!("GET {}", response.request.path), response.brief());
        return Err(why.hint("the log of the server names what it cannot read").into());
    }
    response.expect_status(if found { &[200] } else { &[404] })
}

/// Each with its field in discovery, and in a definition.
const NAMES: &[(&str, (&str, &str))] = &[
    ("discovery-singular-name", ("singularName", "singular")),
    ("discovery-short-names", ("shortNames", "shortNames")),
    ("discovery-categories", ("categories", "categories")),
];

/// Discovery has the names that the definition of a custom type gives.
async fn names_of_definition(cx: Context, (listed, defined): (&'static str, &'static str)) -> Checked {
    let gadgets = cx.gadgets_resource().await?;
    let definition = cx.send(Request::get(definitions::path_of(&gadgets))).await?.written()?;
    let names = &definition.json()["spec"]["names"][defined];

    eventually(&cx, || async {
        let (found, entry) = api_resources::discovered_type(&cx, &gadgets).await?;
        found.expect(entry[listed] == *names, format!("{listed}: {names}"), entry[listed].to_string())
    })
    .await
}

async fn discovery_subresource_entries(cx: Context) -> Checked {
    let gadgets = or_note(&cx, cx.gadgets_resource().await)?;
    eventually(&cx, || async {
        if let Some(gadgets) = &gadgets {
            let found = cx.send(Request::get(gadgets.root())).await?;
            for subresource in ["status", "scale"] {
                expect_entry(&found, &format!("{}/{subresource}", gadgets.plural))?;
            }
        }
        Ok(())
    })
    .await?;
    let namespaces = "/api/v1/namespaces";
    let status = cx.send(Request::get(format!("{namespaces}/default/status"))).await?;
    if !status.succeeded() {
        cx.note(format!("{namespaces}/default/status is not served: {}", status.brief()));
        return Ok(());
    }
    expect_entry(&*cx.send(Request::get("/api/v1")).await?, "namespaces/status")
}

/// The document lists a subresource that clients read and write.
fn expect_entry(found: &Exchange, name: &str) -> Checked {
    let entry = api_resources::resources(found).find(|entry| entry["name"] == name);
    let verbs: Vec<_> =
        entry.into_iter().flat_map(|entry| each(entry, "verbs")).filter_map(Value::as_str).collect();
    let all = ["get", "patch", "update"].iter().all(|verb| verbs.contains(verb));
    let actual = entry.map_or("no such resource".to_owned(), ToString::to_string);
    found.expect(all, format!("{name} with the verbs get, patch and update"), actual)
}
