//! What the server publishes of the metadata of its types.

use std::collections::BTreeSet;

use harness::{Context, Exchange, Halt, Suite};
use serde_json::Value;

use crate::openapi::{self, GroupKind};
use crate::types;

/// Adds the scenario of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("metadata-schema-declares-object-fields", the_schema_of_every_type_has_metadata)
        .read_only()
}

/// What metadata has, whatever the type.
const FIELDS: [&str; 9] = [
    "namespace",
    "name",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "labels",
    "annotations",
];

async fn the_schema_of_every_type_has_metadata(cx: Context) -> Result<(), Halt> {
    let served = served(&cx).await?;

    for document in openapi::documents(&cx).await? {
        for (name, schema) in openapi::schemas(&document) {
            let kinds = openapi::kinds(schema);
            if kinds.iter().any(|kind| kind.is_of_the_project() && served.contains(kind)) {
                expect_of_an_object(&document, name, schema)?;
            }
            if name.ends_with(".ObjectMeta") {
                let lacking = FIELDS.iter().find(|field| schema["properties"][**field].is_null());
                let expected = format!("{name} with {}", FIELDS.join(", "));
                let actual = || format!("no {}", lacking.unwrap_or(&""));
                document.expect(lacking.is_none(), expected, actual())?;
            }
        }
    }
    Ok(())
}

/// The schema says that there are kind, apiVersion and the metadata of objects.
fn expect_of_an_object(document: &Exchange, name: &str, schema: &Value) -> Result<(), Halt> {
    let properties = &schema["properties"];
    for field in ["kind", "apiVersion"] {
        let expected = format!("{name} with {field}, a string");
        document.expect(properties[field]["type"] == "string", expected, properties[field].to_string())?;
    }
    let metadata = openapi::reference(&properties["metadata"]).unwrap_or_default();
    let shared = metadata.ends_with(".ObjectMeta");
    let expected = format!("{name} with metadata that refers to ObjectMeta");
    document.expect(shared, expected, properties["metadata"].to_string())
}

/// The kinds of all types that the server serves itself.
async fn served(cx: &Context) -> Result<BTreeSet<GroupKind>, Halt> {
    let mut served = BTreeSet::new();
    for (root, found) in types::discovered(cx).await? {
        let (group, version) = types::group_version(&root);
        let types = types::resources(&found).filter(|found| !is_subresource(found));
        served.extend(types.filter_map(|found| {
            let (group, version, kind) =
                (group.to_owned(), version.to_owned(), found["kind"].as_str()?.to_owned());
            Some(GroupKind { group, version, kind })
        }));
    }
    Ok(served)
}

fn is_subresource(found: &Value) -> bool {
    found["name"].as_str().is_some_and(|name| name.contains('/'))
}
