//! `ObjectMeta` and `ListMeta` in the published `OpenAPI` documents.

use std::collections::BTreeSet;

use crate::api_resources;
use crate::openapi::{self, Definition, GroupKind};
use crate::prelude::*;

rows![metadata_schema_declares_object_fields.own_kinds().read_only()];

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

async fn metadata_schema_declares_object_fields(cx: Context) -> Checked {
    let served = served(&cx).await?;
    let published = openapi::published(&cx).await?;

    for object in published.definitions_of_kinds(|kind| served.contains(kind)) {
        expect_of_an_object(&object)?;
    }
    for metadata in published.all_definitions().filter(|definition| definition.kind() == "ObjectMeta") {
        let lacking = FIELDS.iter().find(|field| metadata.property(field).is_none());
        let actual = format!("no {}", lacking.unwrap_or(&""));
        metadata.expect(lacking.is_none(), &FIELDS.join(", "), &actual)?;
    }
    Ok(())
}

/// The schema says that there are kind, apiVersion and the metadata of objects.
fn expect_of_an_object(object: &Definition<'_>) -> Checked {
    let property = |name: &str| object.property(name).unwrap_or(&Value::Null);
    for field in ["kind", "apiVersion"] {
        let described = property(field);
        object.expect(
            described["type"] == "string",
            &format!("{field}, a string"),
            &described.to_string(),
        )?;
    }
    let metadata = property("metadata");
    let shared = object.follow(metadata).kind() == "ObjectMeta";
    object.expect(shared, "metadata that refers to ObjectMeta", &metadata.to_string())
}

/// The kinds of all types that the server serves itself.
async fn served(cx: &Context) -> Result<BTreeSet<GroupKind>, Halt> {
    let mut served = BTreeSet::new();
    for (root, found) in api_resources::discovered(cx).await? {
        let (group, version) = api_resources::group_version(&root);
        let types = api_resources::resources(&found).filter(|found| !is_subresource(found));
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
